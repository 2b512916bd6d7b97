import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { send } from '../../http/test/requests.ts'
import { talkFixture } from './talk-plugin.ts'
import { addTenants, SESSION_SECRET, userOf } from './tokens.ts'

const talk = talkFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talk.plugin], listen: true, env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(gateway, 'acme', 'other')
})
after(() => gateway.stop())

async function connected(headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'older', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  const transport = new SSEClientTransport(new URL(`${gateway.url}/sse`), {
    requestInit: { headers },
    eventSourceInit: {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }),
    },
  })
  await client.connect(transport as Transport)
  return client
}

test('a client that knows only the first transport shakes hands, lists the tools and calls them', async () => {
  const client = await connected()
  assert.equal(client.getServerVersion()?.name, 'gateway')
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'talk_can'))
  const calls = await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: 'talk_can', arguments: {} })))
  for (const { structuredContent } of calls) assert.deepEqual(structuredContent, { abilities: ['elicitation'] })
  await client.close()
})

test('what a call says before its answer, and what belongs to no call, come on the same stream', async () => {
  const client = await connected()
  const changed = new Promise<void>((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()))
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'ann', size: 's' } }))
  const { structuredContent } = await client.callTool({ name: 'talk_ask', arguments: { keys: ['form'] } })
  assert.deepEqual(structuredContent, { answers: { form: { action: 'accept', content: { name: 'ann', size: 's' } } } })
  await client.callTool({ name: 'talk_change', arguments: { list: 'tools' } })
  await changed
  const steps: number[] = []
  const called = client.callTool({ name: 'talk_gate', arguments: { gate: 'sse', say: 'step' } }, undefined, {
    onprogress: ({ progress }) => {
      steps.push(progress)
      talk.open('sse')
    },
  })
  await called
  assert.deepEqual(steps, [1])
  await client.close()
})

test('a change is told to its own tenant alone', async () => {
  const [acme, other] = await Promise.all([connected(userOf('acme')), connected(userOf('other'))])
  const heard: string[] = []
  other.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('other'))
  const toldAcme = new Promise<void>((resolve) => acme.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve()))
  await acme.callTool({ name: 'talk_change', arguments: { list: 'resources' } })
  await toldAcme
  await other.listTools()
  assert.deepEqual(heard, [])
  await Promise.all([acme.close(), other.close()])
})

test('a client that hangs up stops what it waits for, and its address is gone', async () => {
  const client = await connected()
  const lost = client.callTool({ name: 'talk_gate', arguments: { gate: 'gone' } }).catch(() => 'lost')
  await talk.arrived('gone')
  await client.close()
  await talk.left('gone')
  assert.equal(await lost, 'lost')
})

test('messages for a stream that does not exist, or is somebody else’s, are refused', async () => {
  const streaming = await fetch(`${gateway.url}/sse`, { headers: { accept: 'text/event-stream', ...userOf('acme') } })
  const reader = (streaming.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  const [, address = ''] =
    /^event: endpoint\ndata: (\/sse\/messages\?sessionId=[0-9a-f-]{36})\n\n$/.exec(new TextDecoder().decode(value)) ?? []
  const message = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }
  const post = (path: string, headers: Record<string, string>) =>
    send(`${gateway.url}${path}`, { ...message, headers: { 'content-type': 'application/json', ...headers } })
  assert.equal((await post(address, userOf('acme'))).status, 202)
  for (const [path, headers] of [
    [address, userOf('other')],
    ['/sse/messages?sessionId=none', userOf('acme')],
    ['/sse/messages', userOf('acme')],
  ] as const) {
    const { status, json } = await post(path, headers)
    assert.deepEqual([status, json.error.code, json.id], [404, -32001, 1])
  }
  assert.equal((await send(`${gateway.url}/sse`, { headers: { accept: 'application/json' } })).status, 406)
  assert.equal((await post(address, { ...userOf('acme'), 'content-type': 'text/plain' })).status, 415)
  await reader.cancel()
})

test('a client that does not wait for its answers is told to', async () => {
  const streaming = await fetch(`${gateway.url}/sse`, { headers: { accept: 'text/event-stream' } })
  const reader = (streaming.body as ReadableStream<Uint8Array>).getReader()
  const told = new TextDecoder().decode((await reader.read()).value)
  const address = `${gateway.url}${/data: (.*)/.exec(told)?.[1]}`
  const post = (id: number) =>
    send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'talk_gate', arguments: { gate: `full${id}` } } }),
    })
  for (let id = 0; id < 64; id++) assert.equal((await post(id)).status, 202)
  const { status, headers } = await post(64)
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  await reader.cancel()
  await talk.left('full0')
})

test('the gateway stops while such clients listen', async () => {
  const own = await startTestGateway({ plugins: [talkFixture().plugin], listen: true })
  const streaming = await fetch(`${own.url}/sse`, { headers: { accept: 'text/event-stream' } })
  const reader = (streaming.body as ReadableStream<Uint8Array>).getReader()
  await reader.read()
  const over = (async () => {
    while (!(await reader.read()).done);
  })()
  await own.stop()
  await over
})
