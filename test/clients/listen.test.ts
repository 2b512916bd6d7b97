import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import conformance from '@gateway/example-conformance'
import { startTestGateway } from '@gateway/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

test('a client of the stateless era hears what it listens to, nothing else, and the end', { timeout: 60_000 }, async () => {
  const gateway = await startTestGateway({ plugins: [conformance], listen: true })
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const heard: string[] = []
  const ears = new EventTarget()
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'))
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri)
    ears.dispatchEvent(new Event('updated'))
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)))

  const watched = 'test://watched-resource'
  const subscription = await client.listen({ promptsListChanged: true, resourceSubscriptions: [watched, 'test://no-such-thing'] })
  assert.deepEqual(subscription.honoredFilter, { promptsListChanged: true, resourceSubscriptions: [watched] })

  const updated = once(ears, 'updated')
  for (const change of ['tool', 'prompt', 'resource']) await client.callTool({ name: `test_trigger_${change}_change`, arguments: {} })
  await updated
  assert.deepEqual(heard, ['prompts', watched])

  await gateway.stop()
  assert.equal(await subscription.closed, 'graceful')
  await client.close()
})
