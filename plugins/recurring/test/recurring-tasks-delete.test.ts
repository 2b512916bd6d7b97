import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { admin, create, get, HOUR, list, queued, runNow, start, sweep } from './support.ts'

const remove = (gateway: Parameters<typeof list>[0], recurringId: string) => gateway.call('recurring_tasks_delete', { recurringId })

test('it is gone for good and does not fire any more; tasks it enqueued stay untouched', async () => {
  await using gateway = await start()
  const template = await create(gateway, { overlapPolicy: 'stack' })
  await runNow(gateway, template)
  const before = await queued(gateway)
  const fired = await get(gateway, template)
  assert.deepEqual(await remove(gateway, template.recurringId), { recurringTask: fired })
  assert.deepEqual(await list(gateway), [])
  gateway.clock.advance(HOUR)
  await sweep(gateway)
  assert.deepEqual(await queued(gateway), before)
  const { recurring, trash } = await gateway.documents()
  assert.deepEqual([recurring, trash], [[], []])
})

test('an id that is unknown, removed before, or another tenant’s, is NOT_FOUND', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: admin })
  const { recurringId } = await create(gateway)
  await remove(gateway, recurringId)
  for (const id of ['recurring-x', recurringId, theirs.recurringId]) await assert.rejects(remove(gateway, id), refusal('NOT_FOUND'))
  assert.deepEqual(await get(gateway, theirs, { as: admin }), theirs)
})
