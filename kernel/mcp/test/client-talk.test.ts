import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { post, call as rpcCall } from './rpc.ts'
import { talkFixture } from './talk-plugin.ts'

const talk = talkFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talk.plugin], listen: true })
})
after(() => gateway.stop())

async function connected(options: StreamableHTTPClientTransportOptions = {}): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), options)
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } } },
  )
  await client.connect(transport as Transport)
  return client
}
const structured = (result: object) => (result as { structuredContent: unknown }).structuredContent

test('the official client answers forms, pages, its model and its folders', async () => {
  const client = await connected()
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) =>
    params.mode === 'url' ? { action: 'accept' as const } : { action: 'accept' as const, content: { name: params.message, size: 'l' } },
  )
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
    role: 'assistant' as const,
    content: { type: 'text' as const, text: `${params.maxTokens} tokens` },
    model: 'm',
  }))
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }))
  const result = await client.callTool({ name: 'talk_ask', arguments: { keys: ['form', 'page', 'model', 'folders'] } })
  assert.deepEqual(structured(result), {
    answers: {
      form: { action: 'accept', content: { name: 'Who are you?', size: 'l' } },
      page: { action: 'accept' },
      model: { role: 'assistant', content: { type: 'text', text: '10 tokens' }, model: 'm' },
      folders: { roots: [{ uri: 'file:///work', name: 'work' }] },
    },
  })
  await client.close()
})

test('what its handler throws is a refusal of the tool', async () => {
  const client = await connected()
  client.setRequestHandler(ElicitRequestSchema, async () => {
    throw new Error('the person left')
  })
  const result = await client.callTool({ name: 'talk_ask', arguments: { keys: ['form'] } })
  assert.equal((structured(result) as { code: string }).code, 'BAD_REQUEST')
  assert.match((structured(result) as { error: string }).error, /the person left/)
  await client.close()
})

test('it hears log messages, changed resources and changed lists', async () => {
  const client = await connected()
  const heard: unknown[] = []
  let all: () => void
  const complete = new Promise<void>((resolve) => (all = resolve))
  const hear = ({ method, params }: { method: string; params?: object | undefined }) => {
    heard.push([method, params])
    if (heard.length === 3) all()
  }
  client.setNotificationHandler(LoggingMessageNotificationSchema, hear)
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, hear)
  client.setNotificationHandler(ToolListChangedNotificationSchema, hear)
  assert.deepEqual(await client.setLoggingLevel('error'), {})
  await client.callTool({ name: 'talk_log', arguments: { levels: ['info', 'error'] } })
  assert.deepEqual(await client.subscribeResource({ uri: 'talk://note' }), {})
  await post(gateway, rpcCall('talk_touch', { uri: 'talk://note' }))
  await post(gateway, rpcCall('talk_change', { list: 'tools' }))
  await complete
  assert.deepEqual(heard, [
    ['notifications/message', { level: 'error', logger: 'talk', data: { said: 'error' } }],
    ['notifications/resources/updated', { uri: 'talk://note' }],
    ['notifications/tools/list_changed', undefined],
  ])
  assert.deepEqual(await client.unsubscribeResource({ uri: 'talk://note' }), {})
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'talk://colours/{colour}' },
    argument: { name: 'colour', value: 'b' },
  })
  assert.deepEqual(completion.values, ['blue'])
  await client.close()
})

test('it comes back by itself to a stream that was cut, and gets its answer', async () => {
  const seen: number[] = []
  const client = await connected({ fetch: cutting(({ body }) => body.includes('talk_gate')) })
  const call = client.callTool({ name: 'talk_gate', arguments: { gate: 'cut', say: 'step' } }, undefined, {
    onprogress: ({ progress }) => seen.push(progress),
  })
  await talk.arrived('cut')
  talk.step('cut')
  talk.open('cut')
  assert.deepEqual(structured(await call), { gate: 'cut', why: 'opened' })
  assert.deepEqual(seen, [1, 2])
  await client.close()
})

test('it waits for the answer of a call that let it go', async () => {
  const client = await connected()
  const call = client.callTool({ name: 'talk_gate', arguments: { gate: 'later', say: 'detach-required' } })
  await talk.arrived('later')
  talk.open('later')
  assert.deepEqual(structured(await call), { gate: 'later', why: 'opened' })
  await client.close()
})

/** `fetch` whose matching answers break off after their first message. */
function cutting(matches: (request: { body: string }) => boolean): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!matches({ body: String(init?.body) }) || response.body === null) return response
    const reader = response.body.getReader()
    let text = ''
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        text += new TextDecoder().decode(value)
        if (!text.includes('"jsonrpc"')) return
        await reader.cancel()
        controller.error(new Error('cut'))
      },
    })
    return new Response(body, { status: response.status, headers: response.headers })
  }
}
