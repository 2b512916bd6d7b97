import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import trash from '../src/index.ts'
import family from './family.ts'

const start = () => startTestGateway({ plugins: [trash, family] })
const remove = async (gateway: TestGateway, args: object = {}) =>
  (await gateway.call('test_remove', { kind: 'task', itemIds: ['task-1'], ...args })).entries
const take = async (gateway: TestGateway, choice: object, options = {}) =>
  (await gateway.call('test_restore', { kind: 'task', ...choice }, options)).taken
const count = async (gateway: TestGateway) => (await gateway.call('trash_list')).entries.length

test('what is taken comes back whole, and is no longer in the bin', async () => {
  await using gateway = await start()
  const payload = { title: 'Über', tags: ['a', null], deep: { n: 1.5 } }
  const [entry] = await remove(gateway, { payload, repo: 'web', reason: 'twice' })
  assert.deepEqual(await take(gateway, { trashId: entry.trashId }), { ...entry, payload })
  assert.equal(await take(gateway, { trashId: entry.trashId }), null)
  assert.equal(await count(gateway), 0)
})

test('by the item’s id the newest entry is taken first', async () => {
  await using gateway = await start()
  for (const payload of ['first', 'second', 'third']) {
    await remove(gateway, { payload })
    if (payload === 'first') gateway.clock.advance(1)
  }
  const taken = [
    await take(gateway, { itemId: 'task-1' }),
    await take(gateway, { itemId: 'task-1' }),
    await take(gateway, { itemId: 'task-1' }),
  ]
  assert.deepEqual(
    taken.map(({ payload }) => payload),
    ['third', 'second', 'first'],
  )
  assert.equal(await take(gateway, { itemId: 'task-1' }), null)
})

test('with both ids the trashId decides', async () => {
  await using gateway = await start()
  const [older] = await remove(gateway, { itemIds: ['a'] })
  await remove(gateway, { itemIds: ['b'] })
  assert.equal((await take(gateway, { trashId: older.trashId, itemId: 'b' })).itemId, 'a')
})

test('an entry of another kind, another tenant, or past its time is not there', async () => {
  await using gateway = await start()
  const [{ trashId }] = await remove(gateway)
  assert.equal(await take(gateway, { trashId, kind: 'plan' }), null)
  assert.equal(await take(gateway, { itemId: 'task-1', kind: 'plan' }), null)
  assert.equal(await take(gateway, { trashId }, { as: { tenantId: 'acme' } }), null)
  assert.equal(await take(gateway, { itemId: 'task-1' }, { as: { tenantId: 'acme' } }), null)
  assert.equal(await count(gateway), 1, 'looking takes nothing')
  gateway.clock.advance(30 * 86_400)
  assert.equal(await take(gateway, { trashId }), null)
  assert.equal(await take(gateway, { itemId: 'task-1' }), null)
})

test('of many who take one entry exactly one gets it', async () => {
  await using gateway = await start()
  const [{ trashId }] = await remove(gateway)
  const taken = await Promise.all(Array.from({ length: 50 }, (_, i) => take(gateway, i % 2 ? { trashId } : { itemId: 'task-1' })))
  assert.equal(taken.filter((entry) => entry !== null).length, 1)
})

test('what is given back keeps its id and its times, with what is left', async () => {
  await using gateway = await start()
  const [entry] = await remove(gateway, { payload: ['a', 'b'] })
  gateway.clock.advance(3_600)
  await gateway.call('test_restore_part', { kind: 'task', trashId: entry.trashId, left: ['b'] })
  assert.deepEqual(await take(gateway, { itemId: 'task-1' }), { ...entry, itemCount: 1, payload: ['b'] })
})

test('what fails after the put leaves nothing in the bin', async () => {
  await using gateway = await start()
  await assert.rejects(remove(gateway, { fail: true }), { code: 'INTERNAL_ERROR' })
  assert.equal(await count(gateway), 0)
})

test('a kind that no family takes back is refused, and the log names it', async () => {
  await using gateway = await start()
  await assert.rejects(remove(gateway, { kind: 'swarm' }), { code: 'INTERNAL_ERROR' })
  assert.equal(await count(gateway), 0)
  assert.match(JSON.stringify(gateway.logs), /No running plugin contributes the trash kind 'swarm': contribute it to 'trash\.kind'/)
})

test('taking without any id is a fault of the plugin that asks', async () => {
  await using gateway = await start()
  await assert.rejects(take(gateway, {}), { code: 'INTERNAL_ERROR' })
  assert.match(JSON.stringify(gateway.logs), /needs a trashId or an itemId/)
})

test('entries outlive a restart', async () => {
  await using gateway = await start()
  await remove(gateway, { payload: 'kept' })
  await gateway.restart()
  assert.equal((await take(gateway, { itemId: 'task-1' })).payload, 'kept')
})
