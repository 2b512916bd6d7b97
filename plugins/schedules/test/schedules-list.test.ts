import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, create, list, runNow, start, type TestGateway, tick } from './support.ts'

const names = async (gateway: TestGateway, args: object = {}) => (await list(gateway, args)).map(({ name }) => name)

test('the soonest comes first', async () => {
  await using gateway = await start()
  await create(gateway, { name: 'late', cronExpr: '0 23 * * *' })
  await create(gateway, { name: 'soon', cronExpr: '1 9 * * *' })
  await create(gateway, { name: 'noon', cronExpr: '0 12 * * *', enabled: false })
  assert.deepEqual(await names(gateway), ['soon', 'noon', 'late'])
  gateway.clock.set('2026-01-05T09:01:00.000Z')
  await tick(gateway)
  assert.deepEqual(await names(gateway), ['noon', 'late', 'soon'])
})

test('it is filtered by enabled, kind and status, alone and together', async () => {
  await using gateway = await start()
  await create(gateway, { name: 'never ran' })
  await runNow(gateway, await create(gateway, { name: 'ran' }))
  await runNow(gateway, await create(gateway, { name: 'broke', message: '{"text":"fail"}', enabled: false }))
  await create(gateway, { name: 'an agent', kind: 'agent', target: 'writer' })
  await create(gateway, { name: 'a skill', kind: 'skill', target: 'summary', enabled: false })
  const found = async (args: object) => (await names(gateway, args)).sort()
  assert.deepEqual(await found({ enabled: true }), ['an agent', 'never ran', 'ran'])
  assert.deepEqual(await found({ enabled: false }), ['a skill', 'broke'])
  assert.deepEqual(await found({ kind: 'tool' }), ['broke', 'never ran', 'ran'])
  assert.deepEqual(await found({ kind: 'agent' }), ['an agent'])
  assert.deepEqual(await found({ kind: 'skill' }), ['a skill'])
  assert.deepEqual(await found({ status: 'never' }), ['a skill', 'an agent', 'never ran'])
  assert.deepEqual(await found({ status: 'success' }), ['ran'])
  assert.deepEqual(await found({ status: 'error' }), ['broke'])
  assert.deepEqual(await found({ kind: 'tool', status: 'never', enabled: true }), ['never ran'])
  assert.deepEqual(await found({ kind: 'tool', status: 'error', enabled: true }), [])
})

test('limit omitted means 100, more than 1,000 means 1,000', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 105 }, () => create(gateway)))
  assert.equal((await gateway.call('schedules_list')).count, 100)
  assert.equal((await gateway.call('schedules_list', { limit: 3 })).count, 3)
  assert.equal((await gateway.call('schedules_list', { limit: 5_000 })).count, 105)
  for (const limit of [0, 1.5, 'many']) await assert.rejects(list(gateway, { limit }), { code: 'BAD_REQUEST' })
})

test('a tenant sees its own', async () => {
  await using gateway = await start()
  await create(gateway, { name: 'theirs' }, { as: admin })
  await create(gateway, { name: 'mine' })
  assert.deepEqual(await names(gateway), ['mine'])
  assert.deepEqual(await names(gateway, { tenantId: 'acme' }), ['mine'])
})

test('GET /api/schedules answers {count, schedules}; enabled is the word true or false, and a wrong filter is a 400', async () => {
  await using gateway = await start()
  const schedule = await create(gateway)
  await create(gateway, { enabled: false, kind: 'agent', target: 'writer' })
  const ask = async (query: string) => gateway.inject({ method: 'GET', url: `/api/schedules${query}` })
  assert.equal((await ask('')).json().count, 2)
  assert.deepEqual((await ask('?enabled=true&kind=tool&status=never&limit=5')).json(), { count: 1, schedules: [schedule] })
  assert.equal((await ask('?enabled=false')).json().schedules[0].kind, 'agent')
  for (const query of ['?enabled=1', '?enabled=yes', '?kind=script', '?status=done', '?limit=0', '?limit=x', '?repo=web']) {
    const { status, json } = await ask(query)
    assert.deepEqual([query, status, json().code], [query, 400, 'BAD_REQUEST'])
  }
})
