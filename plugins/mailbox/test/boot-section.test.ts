import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { send, start } from './support.ts'

async function instructions(gateway: TestGateway): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const response = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  })
  return response.json().result.instructions
}

test('an agent that connects learns how many messages wait for the operator', async () => {
  await using gateway = await start()
  const first = await send(gateway, { to: 'operator' })
  await send(gateway, { to: 'Operator' })
  await send(gateway, { to: 'web' })
  await gateway.call('mail_send', { to: 'operator' }, { as: { tenantId: 'acme' } })
  assert.match(await instructions(gateway), /## Mail\nUnread messages for `operator`: 2\. Read them with `mail_inbox`/)
  await gateway.call('mail_ack', { id: first.messageId })
  assert.match(await instructions(gateway), /Unread messages for `operator`: 1\./)
})

test('with nothing waiting there is no section', async () => {
  await using gateway = await start()
  await send(gateway, { to: 'web' })
  assert.doesNotMatch(await instructions(gateway), /Mail/)
})

test('from a hundred on the count is not exact', async () => {
  await using gateway = await start()
  await Promise.all(Array.from({ length: 120 }, () => send(gateway, { to: 'operator' })))
  assert.match(await instructions(gateway), /`operator`: 100 or more\./)
})
