import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { alerts, create, get, MINUTE, start, type TestGateway, update } from './support.ts'

async function block(gateway: TestGateway, args: object = {}, from: object = {}) {
  return update(gateway, await create(gateway, from), { status: 'blocked', ...args })
}

test('five tasks of a repo may be blocked within 15 minutes; the sixth is refused and stays as it was', async () => {
  await using gateway = await start()
  for (let i = 0; i < 5; i++) assert.equal((await block(gateway)).status, 'blocked')
  const sixth = await create(gateway)
  await assert.rejects(update(gateway, sixth, { status: 'blocked', notes: 'x' }), {
    code: 'BULK_BLOCK_GUARD',
    status: 409,
    details: { repo: 'web', threshold: 5, windowMinutes: 15 },
  })
  assert.deepEqual(await get(gateway, sixth), sixth)
  const response = await gateway.inject({ method: 'PATCH', url: `/api/tasks/${sixth.taskId}`, body: { status: 'blocked' } })
  assert.deepEqual([response.status, response.json().code], [409, 'BULK_BLOCK_GUARD'])
})

test('each refusal raises an alert that names repo and task, although nothing else of it is kept', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '1' } })
  await block(gateway)
  assert.equal(alerts(gateway, 'tasks.bulk-block').length, 0)
  const { taskId } = await create(gateway)
  for (const count of [1, 2]) {
    await assert.rejects(update(gateway, { taskId }, { status: 'blocked' }), refusal('BULK_BLOCK_GUARD'))
    assert.equal(alerts(gateway, 'tasks.bulk-block').length, count)
  }
  assert.match(String(alerts(gateway, 'tasks.bulk-block')[0]?.message), new RegExp(`web.*${taskId}`))
})

test('supersededBy and operatorAuthorized authorize: such a block is not refused and does not count', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '1' } })
  const authorized = [{ supersededBy: (await create(gateway)).taskId }, { operatorAuthorized: true }]
  for (const args of authorized) await block(gateway, args)
  await block(gateway)
  for (const args of authorized) {
    assert.equal((await block(gateway, args)).status, 'blocked')
  }
  await assert.rejects(block(gateway, { operatorAuthorized: false }), refusal('BULK_BLOCK_GUARD'))
})

test('supersededBy names a task that exists, not the task itself, and not one that it has replaced', async () => {
  await using gateway = await start()
  const [first, second, third] = [await create(gateway), await create(gateway), await create(gateway)]
  for (const [supersededBy, reason] of [
    ['any text', /must name a task that exists; got any text/],
    [first.taskId, /must name another task/],
  ] as const)
    await assert.rejects(update(gateway, first, { status: 'blocked', supersededBy }), refusal('BAD_REQUEST', 'supersededBy', reason))
  const inTrash = await create(gateway)
  await gateway.call('tasks_delete', { taskId: inTrash.taskId })
  await assert.rejects(update(gateway, first, { supersededBy: inTrash.taskId }), refusal('BAD_REQUEST', 'supersededBy'))
  assert.deepEqual(await get(gateway, first), first)
  await update(gateway, first, { supersededBy: second.taskId })
  await update(gateway, second, { supersededBy: third.taskId })
  for (const supersededBy of [first.taskId, second.taskId])
    await assert.rejects(update(gateway, third, { supersededBy }), refusal('BAD_REQUEST', 'supersededBy', /has not replaced/))
  assert.deepEqual(await get(gateway, third), third)
})

test('the threshold counts per repo', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '1' } })
  await block(gateway, {}, { repo: 'web' })
  await block(gateway, {}, { repo: 'api' })
  await assert.rejects(block(gateway, {}, { repo: 'api' }), refusal('BULK_BLOCK_GUARD'))
  // Naming another repo in the same call does not bypass the window of the task's own repo.
  await assert.rejects(block(gateway, { repo: 'free' }, { repo: 'web' }), refusal('BULK_BLOCK_GUARD'))
})

test('the threshold counts per tenant', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '1' } })
  await block(gateway)
  const acme = { as: { tenantId: 'acme' } }
  await update(gateway, await create(gateway, {}, acme), { status: 'blocked' }, acme)
})

test('the window slides: each block stops counting 15 minutes later', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '2' } })
  await block(gateway)
  gateway.clock.advance(10 * MINUTE)
  await block(gateway)
  gateway.clock.advance(5 * MINUTE - 1)
  await assert.rejects(block(gateway), refusal('BULK_BLOCK_GUARD'))
  gateway.clock.advance(1)
  await block(gateway)
  await assert.rejects(block(gateway), refusal('BULK_BLOCK_GUARD'))
})

test('the length of the window is a setting', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '1', BULK_BLOCK_WINDOW_MINUTES: '2' } })
  await block(gateway)
  gateway.clock.advance(2 * MINUTE - 1)
  await assert.rejects(block(gateway), refusal('BULK_BLOCK_GUARD'))
  gateway.clock.advance(1)
  await block(gateway)
})

test('a move into blocked counts from whatever status; blocked set again does not', async () => {
  await using gateway = await start()
  for (const status of ['working', 'review', 'done', 'paused', 'dead_letter']) {
    const task = await update(gateway, await create(gateway), { status })
    await update(gateway, task, { status: 'blocked' })
    await update(gateway, task, { status: 'blocked' })
  }
  await assert.rejects(block(gateway), refusal('BULK_BLOCK_GUARD'))
})

test('of many at once no more than the threshold get through', async () => {
  await using gateway = await start()
  const tasks = await Promise.all(Array.from({ length: 20 }, () => create(gateway)))
  const results = await Promise.allSettled(tasks.map((task) => update(gateway, task, { status: 'blocked' })))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5)
})

test('operatorAuthorized is taken from a person only, never from an automated caller', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  const give = (kind: 'operator' | 'user' | 'system' | 'api-key', value: boolean) =>
    update(gateway, task, { operatorAuthorized: value }, { as: { kind, role: kind === 'system' ? 'system' : 'owner' } })
  for (const kind of ['system', 'api-key'] as const) {
    await assert.rejects(give(kind, true), refusal('FORBIDDEN'))
    await give(kind, false)
  }
  for (const kind of ['operator', 'user'] as const) assert.equal((await give(kind, true)).operatorAuthorized, true)
})
