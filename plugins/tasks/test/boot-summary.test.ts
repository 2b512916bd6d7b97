import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, fail, HOUR, start, type TestGateway, update, working } from './support.ts'

async function instructions(gateway: TestGateway): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const response = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  })
  return response.json().result.instructions
}

test('an agent’s first context says what is ready, in work and in need of triage', async () => {
  await using gateway = await start()
  assert.doesNotMatch(await instructions(gateway), /Task queue/)
  await working(gateway)
  const { taskId } = await create(gateway)
  await create(gateway, { dependsOn: [taskId] })
  assert.match(await instructions(gateway), /Task queue\n+1 ready to claim \(tasks_claim\), 1 in work\.\n?$/m)
  await update(gateway, { taskId }, { status: 'dead_letter' })
  assert.match(await instructions(gateway), /0 ready to claim .*\n1 need triage: tasks_list with status dead_letter\./)
})

test('a retry whose time has come is ready to claim, also when nobody has claimed since', async () => {
  await using gateway = await start()
  await fail(gateway, await working(gateway))
  assert.doesNotMatch(await instructions(gateway), /Task queue/)
  gateway.clock.advance(HOUR)
  assert.match(await instructions(gateway), /1 ready to claim \(tasks_claim\), 0 in work\./)
})
