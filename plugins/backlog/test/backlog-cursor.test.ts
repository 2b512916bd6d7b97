import assert from 'node:assert/strict'
import { test } from 'node:test'
import { names, start, type TestGateway } from './support.ts'

const get = (gateway: TestGateway, options = {}) => gateway.call('backlog_cursor_get', {}, options)
const set = (gateway: TestGateway, consumed: unknown, options = {}) => gateway.call('backlog_cursor_set', { consumed }, options)

test('the cursor is 0 until it is set, then what was set last, also lower, also after a restart', async () => {
  await using gateway = await start()
  assert.deepEqual(await get(gateway), { consumed: 0 })
  for (const consumed of [7, 3, 3, 0]) {
    gateway.clock.advance(1)
    const updatedAt = new Date(gateway.clock.now()).toISOString()
    assert.deepEqual(await set(gateway, consumed), { consumed, updatedAt })
    assert.deepEqual(await get(gateway), { consumed, updatedAt })
  }
  await set(gateway, 12)
  await gateway.restart()
  assert.equal((await get(gateway)).consumed, 12)
})

test('a count that is no whole number from 0 is refused by name, and nothing changes', async () => {
  await using gateway = await start()
  await set(gateway, 5)
  for (const wrong of [-1, 1.5, 'three', null, 1e300]) await assert.rejects(set(gateway, wrong), names('consumed'))
  await assert.rejects(gateway.call('backlog_cursor_set', {}), names('consumed'))
  assert.equal((await get(gateway)).consumed, 5)
})

test('each tenant has its own cursor', async () => {
  await using gateway = await start()
  const acme = { as: { tenantId: 'acme' } }
  await set(gateway, 5)
  assert.deepEqual(await get(gateway, acme), { consumed: 0 })
  await set(gateway, 9, acme)
  assert.equal((await get(gateway)).consumed, 5)
})

test('GET and PUT /api/backlog/cursor are the same tools', async () => {
  await using gateway = await start()
  const put = await gateway.inject({ method: 'PUT', url: '/api/backlog/cursor', body: { consumed: 4 } })
  assert.deepEqual([put.status, put.json().consumed], [200, 4])
  assert.deepEqual((await gateway.inject({ method: 'GET', url: '/api/backlog/cursor' })).json(), put.json())
})
