import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { type ModelRequest, modelErrors, models } from '@gateway/plugin-providers/api'
import { closed, definePlugin, defineTool, type Plugin, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import modelWire from '../src/index.ts'

const askModel = defineTool({
  name: 'ask_model',
  description: 'Ask a model, for tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ request: Type.Record(Type.String(), Type.Unknown()) }, closed),
  output: Type.Record(Type.String(), Type.Unknown()),
  errors: modelErrors,
  uses: { models },
  handle: async ({ request }, { models }) => ({ ...(await models.complete(request as unknown as ModelRequest)) }),
})
const asking = definePlugin({ id: 'asking', sdk: '^1.0.0', description: 'For tests.', tools: [askModel] })

/** A server that speaks Ollama's API, answers with `answer`, and keeps what it was asked. */
async function ollamaServer(answer: object) {
  const asked: { readonly url: string | undefined; readonly body: Record<string, unknown> }[] = []
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push({ url: request.url, body: JSON.parse(await text(request)) as Record<string, unknown> })
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => void reply(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, baseUrl, [Symbol.asyncDispose]: async () => void server.close() }
}

const start = (baseUrl: string, plugins: readonly Plugin[] = [modelWire]) =>
  startTestGateway({
    plugins: [outgoing, providers, asking, ...plugins],
    config: { providers: { maxHops: 0, providers: { local: { wire: 'ollama', baseUrl, models: { standard: 'small' } } } } },
  })
const hello = { system: 'Be short.', messages: [{ role: 'user', content: 'Hi' }], maxTokens: 50 }

test('a provider on a contributed wire answers, and its tokens are counted', async () => {
  await using server = await ollamaServer({
    message: { role: 'assistant', content: 'Hello.' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 12,
    eval_count: 3,
  })
  await using gateway = await start(server.baseUrl)
  const answer = await gateway.call('ask_model', { request: hello })
  assert.deepEqual([answer.text, answer.stopReason, answer.model], ['Hello.', 'end', 'small'])
  assert.deepEqual([answer.usage.inputTokens, answer.usage.outputTokens, answer.usage.estimated], [12, 3, false])
  assert.equal(server.asked[0]?.url, '/api/chat')
  assert.deepEqual(server.asked[0]?.body.messages, [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Hi' },
  ])
  assert.deepEqual(server.asked[0]?.body.options, { num_predict: 50 })
})

test('tools are offered in the words of the wire, and calls of the model come back', async () => {
  await using server = await ollamaServer({
    message: { content: '', tool_calls: [{ function: { name: 'tasks_next', arguments: { repo: 'web' } } }] },
    done_reason: 'stop',
  })
  await using gateway = await start(server.baseUrl)
  const tools = [{ name: 'tasks_next', description: 'Next task', input: { type: 'object' } }]
  const answer = await gateway.call('ask_model', { request: { ...hello, tools } })
  assert.deepEqual(answer.toolCalls, [{ id: 'call-0', name: 'tasks_next', arguments: '{"repo":"web"}' }])
  assert.equal(answer.stopReason, 'tools')
})

test('without the plugin the error says which wire is missing', async () => {
  await using gateway = await start('http://127.0.0.1:1', [])
  await assert.rejects(gateway.call('ask_model', { request: hello }), /no running plugin contributes its wire, ollama/)
})
