import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, create, list, MINUTE, start, sweep, type TestGateway } from './support.ts'

const names = async (gateway: TestGateway, args: object = {}) => (await list(gateway, args)).map(({ name }) => name)

test('the soonest comes first', async () => {
  await using gateway = await start()
  await create(gateway, { name: 'late', cronExpr: '0 23 * * *' })
  await create(gateway, { name: 'soon', cronExpr: '1 9 * * *' })
  await create(gateway, { name: 'noon', cronExpr: '0 12 * * *', enabled: false })
  assert.deepEqual(await names(gateway), ['soon', 'noon', 'late'])
  gateway.clock.advance(MINUTE)
  await sweep(gateway)
  assert.deepEqual(await names(gateway), ['noon', 'late', 'soon'])
})

test('it is filtered by enabled and repo, alone and together', async () => {
  await using gateway = await start()
  await create(gateway, { name: 'a' })
  await create(gateway, { name: 'b', enabled: false })
  await create(gateway, { name: 'c', repo: 'api' })
  const found = async (args: object) => (await names(gateway, args)).sort()
  assert.deepEqual(await found({}), ['a', 'b', 'c'])
  assert.deepEqual(await found({ enabled: true }), ['a', 'c'])
  assert.deepEqual(await found({ enabled: false }), ['b'])
  assert.deepEqual(await found({ repo: 'web' }), ['a', 'b'])
  assert.deepEqual(await found({ repo: 'web', enabled: true }), ['a'])
  assert.deepEqual(await found({ repo: 'other' }), [])
})

test('limit omitted means 100, more than 1,000 means 1,000', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 105 }, () => create(gateway)))
  assert.equal((await gateway.call('recurring_tasks_list')).count, 100)
  assert.equal((await gateway.call('recurring_tasks_list', { limit: 3 })).count, 3)
  assert.equal((await gateway.call('recurring_tasks_list', { limit: 5_000 })).count, 105)
  for (const limit of [0, 1.5, 'many']) await assert.rejects(list(gateway, { limit }), { code: 'BAD_REQUEST' })
})

test('a tenant sees its own', async () => {
  await using gateway = await start()
  await create(gateway, { name: 'theirs' }, { as: admin })
  await create(gateway, { name: 'mine' })
  assert.deepEqual(await names(gateway, { tenantId: 'acme' }), ['mine'])
})
