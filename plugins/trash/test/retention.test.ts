import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trashKind } from '@gateway/plugin-trash/api'
import { contribute } from '@gateway/sdk'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import trash from '../src/index.ts'
import family from './family.ts'

const DAY = 86_400
const REMOVED_AT = '2026-01-05T09:00:00.000Z'
const [acme, umbrella] = ['acme', 'umbrella'].map((tenantId) => ({ as: { tenantId } })) as [object, object]

const start = () => startTestGateway({ plugins: [trash, family], clock: testClock(REMOVED_AT) })
const remove = (gateway: TestGateway, options?: object) => gateway.call('test_remove', { kind: 'task', itemIds: ['task-1'] }, options)

/** Counts the entries that the store still holds, expired or not, seen at the time of their removal. */
async function stored(gateway: TestGateway, options?: object): Promise<number> {
  const at = gateway.clock.now()
  gateway.clock.set(REMOVED_AT)
  const { entries } = await gateway.call('trash_list', {}, options)
  gateway.clock.set(new Date(at))
  return entries.length
}

test('what is past its time is removed from the store once a day, and nothing before', async () => {
  await using gateway = await start()
  await remove(gateway)
  gateway.clock.advance(30 * DAY - 1)
  await gateway.runJob('trash.retention')
  assert.equal(await stored(gateway), 1)
  gateway.clock.advance(1)
  await gateway.runJob('trash.retention')
  assert.equal(await stored(gateway), 0)
})

test('a tenant under legal hold loses nothing, by the job or by the store, until the hold is over', async () => {
  await using gateway = await start()
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  await gateway.tenants.change('acme', { legalHold: true })
  for (const tenant of [acme, umbrella]) await remove(gateway, tenant)
  gateway.clock.advance(31 * DAY)
  await gateway.restart()
  await gateway.runJob('trash.retention')
  assert.deepEqual([await stored(gateway, acme), await stored(gateway, umbrella)], [1, 0])
  assert.deepEqual((await gateway.call('trash_list', {}, acme)).entries, [], 'hidden all the same')
  await gateway.tenants.change('acme', { legalHold: false })
  await gateway.runJob('trash.retention')
  assert.equal(await stored(gateway, acme), 0)
})

test('each family is told of the entries of its kind that are gone for good, with what it kept in them', async () => {
  const told: unknown[] = []
  const contributes = ['task', 'plan', 'swarm'].map((kind) =>
    contribute(trashKind, {
      create: () => ({
        kind,
        restoreTool: 'test_restore',
        purged: async (entries) => void told.push([kind, entries.map(({ itemId, payload }) => [itemId, payload])]),
      }),
    }),
  )
  await using gateway = await startTestGateway({ plugins: [trash, { ...family, contributes }], clock: testClock(REMOVED_AT) })
  const put = (kind: string, ...itemIds: string[]) => gateway.call('test_remove', { kind, itemIds, payload: kind })
  await put('task', 'a', 'b')
  await put('plan', 'c')
  const { taken } = await gateway.call('test_restore', { kind: 'task', itemId: 'a' })
  gateway.clock.advance(1)
  await put('task', 'd')
  gateway.clock.advance(30 * DAY - 1)
  await gateway.runJob('trash.retention')
  assert.equal(taken.itemId, 'a')
  assert.deepEqual(told, [
    ['task', [['b', 'task']]],
    ['plan', [['c', 'plan']]],
  ])
})
