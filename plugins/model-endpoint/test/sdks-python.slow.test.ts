import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { pythonEnvironment } from '../../../scripts/python-environment.mjs'
import { answersJson, type Behaviour, chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { provider, start } from './support.ts'

const PACKAGES = ['openai==3.57.0', 'anthropic==2.14.0']
const environment = pythonEnvironment('model-sdks-python-1', PACKAGES)
const reason = 'reason' in environment ? environment.reason : undefined

const CALL = { name: 'weather', arguments: '{"city":"Oslo"}' }
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
/** Answers in the form that is asked for, and with a call of a tool where the question is of the weather. */
const answering =
  (streamed: (asksTool: boolean) => readonly string[], whole: (asksTool: boolean) => object): Behaviour =>
  (response, request) => {
    const asksTool = JSON.stringify(request.body.messages).includes('Weather?')
    return (request.body.stream ? streams(streamed(asksTool)) : answersJson(whole(asksTool)))(response, request)
  }
const chats = answering(
  (asksTool) => (asksTool ? chatStream([], CALL) : chatStream(['Hel', 'lo'])),
  (asksTool) => {
    const calls = [{ id: 'call_1', type: 'function', function: CALL }]
    const message = asksTool ? { role: 'assistant', content: null, tool_calls: calls } : { role: 'assistant', content: 'Hello' }
    const choice = { index: 0, message, finish_reason: asksTool ? 'tool_calls' : 'stop' }
    return { id: 'up', object: 'chat.completion', created: 1, model: 'up', choices: [choice], usage: USAGE }
  },
)
const messages = answering(
  (asksTool) => (asksTool ? messagesStream([], { name: 'weather', input: { city: 'Oslo' } }) : messagesStream(['Hel', 'lo'])),
  (asksTool) => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }
    const content = [asksTool ? use : { type: 'text', text: 'Hello' }]
    const usage = { input_tokens: 1_000, output_tokens: 100 }
    return { id: 'm', type: 'message', role: 'assistant', model: 'up', content, stop_reason: asksTool ? 'tool_use' : 'end_turn', usage }
  },
)

for (const [model, over] of [
  ['model-s', 'the wire of OpenAI'],
  ['model-o', 'the wire of Anthropic'],
] as const) {
  const name = `the official Python SDKs ask, stream, call tools and raise their own exceptions through the endpoint, over ${over}`
  test(reason ? `${name} (skipped: ${reason})` : name, { skip: reason !== undefined, timeout: 300_000 }, async () => {
    assert.ok('bin' in environment)
    await using up = await mockProvider(chats)
    await using other = await mockProvider(messages)
    const prices = { 'model-o': { inputPerMTok: 1, outputPerMTok: 1 }, dear: { inputPerMTok: 1, outputPerMTok: 1 } }
    const named = {
      api: provider('openai', up.baseUrl),
      direct: provider('anthropic', other.baseUrl, { models: { standard: 'model-o' }, prices }),
    }
    await using gateway = await start(named, { models: { dear: { dailyCapUsd: 0 } } })
    await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
    const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })
    const script = join(import.meta.dirname, 'sdks.py')
    const args = [script, gateway.url, apiKey, 'gw_live_wrong', model]
    const { stdout } = await promisify(execFile)(join(environment.bin, 'python'), args, { timeout: 240_000 })
    const { openai, anthropic } = JSON.parse(stdout)
    const both = {
      listed: true,
      whole: 'Hello',
      streamed: 'Hello',
      usage: [1_000, 100],
      tool: ['weather', { city: 'Oslo' }],
      streamedArguments: { city: 'Oslo' },
      unknown: ['NotFoundError', 404],
      bad: ['BadRequestError', 400],
      stranger: ['AuthenticationError', 401],
    }
    assert.deepEqual(openai, {
      ...both,
      refused: ['APIStatusError', 402],
      finish: 'tool_calls',
      response: 'Hello',
      responseStreamed: 'Hello',
    })
    assert.deepEqual(anthropic, { ...both, refused: ['PaymentRequiredError', 402], finish: 'tool_use' })
  })
}
