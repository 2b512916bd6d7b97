import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

test('the node that answers is listed with its process', async () => {
  await using gateway = await start()
  const { count, nodes } = (await gateway.inject({ method: 'GET', url: '/api/nodes' })).json()
  assert.deepEqual([count, nodes[0].pid, nodes[0].self], [1, process.pid, true])
  assert.ok(Number.isFinite(Date.parse(nodes[0].startedAt)))
})

test('where no command started the gateway, doctor says that nothing was checked, and what to do', async () => {
  await using gateway = await start()
  const { checks } = (await gateway.inject({ method: 'GET', url: '/api/doctor' })).json()
  assert.deepEqual([checks.length, checks[0].outcome], [1, 'warn'])
  assert.match(checks[0].fix, /gateway doctor/)
})

test('nodes and doctor are for the operator, also in shadow mode', async () => {
  await using gateway = await start()
  for (const name of ['nodes.list', 'doctor.examine'])
    await assert.rejects(gateway.call(name, {}, { as: { role: 'owner' } }), { code: 'FORBIDDEN' }, name)
})
