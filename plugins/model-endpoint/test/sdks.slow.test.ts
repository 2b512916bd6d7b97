import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { answersJson, type Behaviour, chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { provider, start } from './support.ts'

const PACKAGES = { openai: '6.49.0', '@anthropic-ai/sdk': '1.14.0' }
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gateway-tests', 'model-sdks')

// biome-ignore lint/suspicious/noExplicitAny: the SDKs are no dependencies, so that their types are not here
type Sdk = any

/** An official SDK from the user's cache folder, where it is installed at first. Skips the test without a registry. */
function sdk(t: TestContext, name: keyof typeof PACKAGES): Sdk {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) {
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const wanted = Object.entries(PACKAGES).map(([one, version]) => `${one}@${version}`)
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted]
    spawnSync('npm', args, { cwd: folder, timeout: 300_000, stdio: 'ignore' })
  }
  if (!existsSync(manifest)) return t.skip(`${name} could not be installed into ${folder}`)
  const module = createRequire(join(folder, 'package.json'))(name) as Sdk
  return module.default ?? module
}

const USER = [{ role: 'user', content: 'Hi' }]
const whole = (content: string) => ({
  id: 'up',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
})
/** Answers each request in the form that it asks for. */
const asAsked =
  (streamed: Behaviour, inOnePiece: Behaviour): Behaviour =>
  (response, request) =>
    (request.body.stream ? streamed : inOnePiece)(response, request)

test('the official SDK of OpenAI lists, asks, streams and embeds through the endpoint, over either wire', async (t) => {
  const OpenAI = sdk(t, 'openai')
  if (OpenAI === undefined) return
  const embedding = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2 } }
  await using up = await mockProvider((response, request) =>
    request.url === '/embeddings'
      ? answersJson(embedding)(response, request)
      : asAsked(streams(chatStream(['Hel', 'lo'])), answersJson(whole('Hello')))(response, request),
  )
  await using other = await mockProvider(streams(messagesStream(['Hel', 'lo'])))
  const models = { standard: 'model-o' }
  const prices = { 'model-o': { inputPerMTok: 1, outputPerMTok: 1 } }
  await using gateway = await start({
    api: provider('openai', up.baseUrl),
    direct: provider('anthropic', other.baseUrl, { models, prices }),
  })
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: await keyOf(gateway), maxRetries: 0 })
  const listed = await client.models.list()
  assert.ok(listed.data.some(({ id }: { id: string }) => id === 'api/model-s'))
  for (const model of ['model-s', 'model-o']) {
    const answer = await client.chat.completions.create({ model, messages: USER })
    assert.equal(answer.choices[0].message.content, 'Hello')
    let said = ''
    for await (const part of await client.chat.completions.create({ model, messages: USER, stream: true }))
      said += part.choices[0]?.delta.content ?? ''
    assert.equal(said, 'Hello')
    assert.equal((await client.responses.create({ model, input: 'Hi' })).output_text, 'Hello')
    const stream = client.responses.stream({ model, input: 'Hi' })
    assert.equal((await stream.finalResponse()).output_text, 'Hello')
  }
  const { data } = await client.embeddings.create({ model: 'embed-s', input: 'text', encoding_format: 'float' })
  assert.deepEqual(data[0].embedding, [0.5])
  await assert.rejects(client.chat.completions.create({ model: 'nobody', messages: USER }), OpenAI.NotFoundError)
  await assert.rejects(client.chat.completions.create({ model: '', messages: USER }), OpenAI.BadRequestError)
  const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'gw_live_wrong', maxRetries: 0 })
  await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError)
  await assert.rejects(stranger.chat.completions.create({ model: 'model-s', messages: USER }), { code: 'invalid_api_key', status: 401 })
})

test('the official SDK of Anthropic asks and streams through the endpoint, over either wire, and meets its own errors', async (t) => {
  const Anthropic = sdk(t, '@anthropic-ai/sdk')
  if (Anthropic === undefined) return
  const message = { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' }
  const usage = { input_tokens: 1_000, output_tokens: 100 }
  const answers = asAsked(streams(messagesStream(['Hel', 'lo'])), answersJson({ ...message, usage }))
  await using up = await mockProvider((response, request) =>
    (request.url === '/v1/messages/count_tokens' ? answersJson({ input_tokens: 8 }) : answers)(response, request),
  )
  await using other = await mockProvider(streams(chatStream(['Hel', 'lo'])))
  const models = { standard: 'model-o' }
  const prices = { 'model-o': { inputPerMTok: 1, outputPerMTok: 1 } }
  await using gateway = await start(
    { api: provider('anthropic', up.baseUrl), direct: provider('openai', other.baseUrl, { models, prices }) },
    { models: { 'model-s': { monthlyCapUsd: 0.003 } } },
  )
  const client = new Anthropic({ baseURL: gateway.url, apiKey: await keyOf(gateway), maxRetries: 0 })
  for (const model of ['model-s', 'model-o']) {
    const asked = { model, max_tokens: 100, messages: USER }
    assert.equal((await client.messages.create(asked)).content[0].text, 'Hello')
    const stream = client.messages.stream(asked)
    assert.equal(await stream.finalText(), 'Hello')
    const { input_tokens: counted } = await client.messages.countTokens({ model, messages: USER })
    assert.ok(model === 'model-s' ? counted === 8 : counted > 8)
  }
  await assert.rejects(client.messages.countTokens({ model: 'nobody', messages: USER }), Anthropic.NotFoundError)
  const asked = { model: 'model-s', max_tokens: 100, messages: USER }
  await assert.rejects(client.messages.create(asked), (error: Sdk) => error.status === 402 && error.error.error.type === 'billing_error')
  await assert.rejects(client.messages.create({ ...asked, model: 'nobody' }), Anthropic.NotFoundError)
  const stranger = new Anthropic({ baseURL: gateway.url, apiKey: 'gw_live_wrong', maxRetries: 0 })
  await assert.rejects(stranger.messages.create(asked), Anthropic.AuthenticationError)
  assert.ok((await client.models.list()).data.some(({ id }: { id: string }) => id === 'standard'))
})

/** A key of the tenant that the operator's budgets apply to. */
async function keyOf(gateway: Awaited<ReturnType<typeof start>>): Promise<string> {
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  return (await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })).apiKey
}
