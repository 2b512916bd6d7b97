import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { type Answered, ASKABLE, type Asked, ask, call, SECRET, session } from './requests.ts'
import { nameForm, statelessFixture } from './stateless-plugin.ts'

const era = statelessFixture()
let gateway: TestGateway
let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-questions-'))
  gateway = await startTestGateway({ plugins: [era.plugin], listen: true, dataDir, env: { GATEWAY_JWT_SECRET: SECRET } })
})
after(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true })
})

const accept = (content: object) => ({ action: 'accept', content })
const alice = { user_name: accept({ name: 'Alice' }) }
type Extra = { inputResponses?: unknown; requestState?: unknown }
const round = (name: string, extra: Extra = {}, more: Partial<Asked> = {}): Promise<Answered> =>
  call(gateway, name, more.params?.arguments as object, { capabilities: ASKABLE, ...more, params: { ...more.params, ...extra } })
const textOf = ({ json }: Answered): string => json.result.structuredContent.text

function assertAsks({ status, json }: Answered, keys: readonly string[]): { requestState: string } {
  assert.deepEqual([status, json.result?.resultType], [200, 'input_required'], JSON.stringify(json))
  assert.deepEqual(Object.keys(json.result.inputRequests), keys)
  assert.deepEqual(['ttlMs' in json.result, 'cacheScope' in json.result, 'content' in json.result], [false, false, false])
  assert.equal(typeof json.result.requestState, 'string')
  return json.result
}
const assertInvalid = ({ status, json }: Answered): void =>
  assert.deepEqual([status, json.error?.code], [200, -32602], JSON.stringify(json))

test('a question ends the request; with the answer and the state the handler runs again, past it', async () => {
  const runs = era.runs('era_greet')
  const first = await round('era_greet')
  const { requestState } = assertAsks(first, ['user_name'])
  assert.deepEqual(first.json.result.inputRequests.user_name, {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'What is your name?', requestedSchema: nameForm },
  })
  const second = await round('era_greet', { inputResponses: alice, requestState }, { id: 2 })
  assert.deepEqual([second.json.id, second.json.result.resultType, textOf(second)], [2, 'complete', 'Hello, Alice!'])
  assert.equal(era.runs('era_greet') - runs, 2)
})

test('answers may come before any question, and without a state', async () => {
  assert.equal(textOf(await round('era_greet', { inputResponses: alice })), 'Hello, Alice!')
  assert.equal(textOf(await round('era_greet', { inputResponses: { user_name: { action: 'decline' } } })), 'No name: decline')
})

test('answers nobody asked for are ignored; where one is missing, the question is asked again', async () => {
  assert.equal(textOf(await round('era_greet', { inputResponses: { ...alice, other: 7, more: accept({}) } })), 'Hello, Alice!')
  assertAsks(await round('era_greet', { inputResponses: { wrong: alice.user_name } }), ['user_name'])
  assertAsks(await round('era_greet', { inputResponses: {} }), ['user_name'])
})

test('a malformed answer is -32602 and names what is wrong', async () => {
  const answers: [unknown, RegExp][] = [
    [12345, /`user_name` must be an object/],
    [null, /`user_name` must be an object/],
    [{ action: 'maybe' }, /`user_name\.action`/],
    [{ action: 'accept' }, /`user_name\.content`/],
    [accept({}), /`user_name\.content\.name`/],
    [accept({ name: 7 }), /`user_name\.content\.name` must be a value of type string/],
  ]
  for (const [answer, why] of answers) {
    const answered = await round('era_greet', { inputResponses: { user_name: answer } })
    assertInvalid(answered)
    assert.match(answered.json.error.message, why)
  }
})

test('answers of earlier rounds travel in the state; each round has another one', async () => {
  const one = assertAsks(await round('era_rounds'), ['step1'])
  const two = assertAsks(await round('era_rounds', { requestState: one.requestState, inputResponses: { step1: accept({ name: 'Al' }) } }), [
    'step2',
  ])
  const three = assertAsks(await round('era_rounds', { requestState: two.requestState, inputResponses: { step2: { action: 'cancel' } } }), [
    'step3',
  ])
  // The state alone does not answer; a round that brings nothing new still has a state of its own.
  const again = assertAsks(await round('era_rounds', { requestState: three.requestState }), ['step3'])
  assert.equal(new Set([one, two, three, again].map(({ requestState }) => requestState)).size, 4)
  const roots = { step3: { roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] } }
  assert.equal(textOf(await round('era_rounds', { requestState: again.requestState, inputResponses: roots })), 'Al cancel 2')
  // The contents of a state are unreadable.
  assert.doesNotMatch(Buffer.from(two.requestState, 'base64url').toString('latin1'), /Al/)
})

test('several questions at once may be answered in several rounds, of every kind', async () => {
  const first = await round('era_many')
  const { requestState } = assertAsks(first, ['who', 'model', 'roots'])
  const { who, model, roots } = first.json.result.inputRequests
  assert.deepEqual(
    [who.method, model.method, roots],
    ['elicitation/create', 'sampling/createMessage', { method: 'roots/list', params: {} }],
  )
  assert.equal(model.params.maxTokens, 100)
  const answers = { who: accept({ name: 'A' }), roots: { roots: [{ uri: 'file:///test/root', name: 'Test Root' }] } }
  const second = assertAsks(await round('era_many', { requestState, inputResponses: answers }), ['model'])
  const said = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm1' }
  const last = await round('era_many', { requestState: second.requestState, inputResponses: { model: said } })
  assert.equal(textOf(last), 'accept m1 file:///test/root')
})

test('a page to visit is asked for by its URL, of a client that can show it', async () => {
  const asked = await round('era_visit', {}, { capabilities: { elicitation: { url: {} } } })
  assertAsks(asked, ['page'])
  assert.deepEqual(asked.json.result.inputRequests.page.params, {
    mode: 'url',
    message: 'Sign in.',
    url: 'https://example.com/sign-in',
  })
})

test('what the client cannot answer is not asked: 400, -32021, naming the least that would do', async () => {
  const cases: [string, object, object][] = [
    ['era_greet', {}, { elicitation: { form: {} } }],
    ['era_greet', { elicitation: { url: {} }, sampling: {} }, { elicitation: { form: {} } }],
    ['era_visit', { elicitation: {} }, { elicitation: { url: {} } }],
    ['era_many', { roots: {} }, { elicitation: { form: {} }, sampling: {} }],
    ['era_many', {}, { elicitation: { form: {} }, sampling: {}, roots: {} }],
  ]
  for (const [name, capabilities, requiredCapabilities] of cases) {
    const { status, json } = await call(gateway, name, {}, { capabilities, id: 'c' })
    assert.deepEqual([status, json.id, json.error?.code, json.error?.data], [400, 'c', -32021, { requiredCapabilities }], name)
  }
  assertAsks(await call(gateway, 'era_greet', {}, { capabilities: { elicitation: { form: {} } } }), ['user_name'])
  // A handler sees the client's capabilities, and chooses its question by them.
  const byModel = await call(gateway, 'era_choosy', {}, { capabilities: { sampling: {} } })
  assertAsks(byModel, ['any'])
  assert.equal(byModel.json.result.inputRequests.any.method, 'sampling/createMessage')
  assert.equal((await call(gateway, 'era_choosy')).json.result.structuredContent.text, 'alone')
  // The declaration of an earlier request never counts.
  assert.equal((await call(gateway, 'era_greet')).status, 400)
})

test('an answer to what was once asked does not answer another question under its key', async () => {
  const { requestState } = assertAsks(await call(gateway, 'era_choosy', {}, { capabilities: { elicitation: {} } }), ['any'])
  const form = { requestState, inputResponses: { any: accept({ name: 'A' }) } }
  const done = await round('era_choosy', form, { capabilities: { elicitation: {} } })
  assert.match(textOf(done), /"A"/)
  assertInvalid(await round('era_choosy', form, { capabilities: { sampling: {} } }))
})

test('a tool that calls a tool that asks, asks', async () => {
  const { requestState } = assertAsks(await round('era_outer'), ['user_name'])
  assert.equal(textOf(await round('era_outer', { requestState, inputResponses: alice })), 'Hello, Alice!')
})

test('prompts and resources ask as tools do', async () => {
  const asked: Asked[] = [
    { method: 'prompts/get', params: { name: 'era_prompt', arguments: { topic: 'bees' } } },
    { method: 'resources/read', params: { uri: 'era://secret/7' } },
  ]
  const keys = ['user_context', 'reader']
  const answers: unknown[] = []
  for (const [i, one] of asked.entries()) {
    const { requestState } = assertAsks(await ask(gateway, { ...one, capabilities: ASKABLE }), [keys[i] as string])
    const again = { ...one, params: { ...one.params, requestState, inputResponses: { [keys[i] as string]: accept({ name: 'Al' }) } } }
    const { json } = await ask(gateway, { ...again, capabilities: ASKABLE })
    assert.equal(json.result.resultType, 'complete')
    answers.push(json.result.messages?.[0].content.text ?? json.result.contents[0].text)
    const lacking = await ask(gateway, one)
    assert.deepEqual([lacking.status, lacking.json.error.data], [400, { requiredCapabilities: { elicitation: { form: {} } } }])
    assertInvalid(await ask(gateway, { ...again, params: { ...again.params, requestState: 'x' }, capabilities: ASKABLE }))
  }
  assert.deepEqual(answers, ['Al on bees', 'Al reads 7'])
})

test('other methods never ask, and take no notice of answers', async () => {
  const { json } = await ask(gateway, { method: 'tools/list', params: { inputResponses: null, requestState: 7 }, capabilities: ASKABLE })
  assert.equal(json.result.resultType, 'complete')
})

test('a state that was changed does not open, not by one character', async () => {
  const { requestState } = assertAsks(await round('era_greet'), ['user_name'])
  const middle = Math.floor(requestState.length / 2)
  const flipped = `${requestState.slice(0, middle)}${requestState[middle] === 'A' ? 'B' : 'A'}${requestState.slice(middle + 1)}`
  const changed = ['-TAMPERED', '=', '!', ' ', 'A'].map((tail) => requestState + tail)
  for (const state of [...changed, flipped, requestState.slice(0, -1), requestState.slice(4), '', 'A'.repeat(100), `=${requestState}`]) {
    const runs = era.runs('era_greet')
    assertInvalid(await round('era_greet', { inputResponses: alice, requestState: state }))
    assert.equal(era.runs('era_greet'), runs, 'the handler does not run')
  }
})

test('a state is good for its own request alone', async () => {
  const { requestState } = assertAsks(await round('era_greet', {}, { params: { arguments: { greeting: 'Ho' } } }), ['user_name'])
  const brought = { inputResponses: alice, requestState }
  const good = { params: { arguments: { greeting: 'Ho' } } }
  assert.equal(textOf(await round('era_greet', brought, good)), 'Ho, Alice!')
  assertInvalid(await round('era_greet', brought))
  assertInvalid(await round('era_greet', brought, { params: { arguments: { greeting: 'Hi' } } }))
  assertInvalid(await round('era_outer', brought))
  const prompt = { method: 'prompts/get', params: { name: 'era_greet', arguments: { greeting: 'Ho' }, ...brought } }
  assertInvalid(await ask(gateway, { ...prompt, capabilities: ASKABLE }))
})

test('a state is good for its own caller alone, also against a caller of the same name in another tenant', async () => {
  const ann = await session(gateway, 'acme')
  const { requestState } = assertAsks(await round('era_greet', {}, { headers: ann }), ['user_name'])
  const brought = { inputResponses: alice, requestState }
  for (const headers of [{}, await session(gateway, 'acme', 'bob'), await session(gateway, 'other')]) {
    assertInvalid(await round('era_greet', brought, { headers }))
  }
  // The same caller with another credential is the same caller.
  assert.equal(textOf(await round('era_greet', brought, { headers: await session(gateway, 'acme') })), 'Hello, Alice!')
})

test('a state outlives a restart, and expires after a quarter of an hour', async () => {
  const { requestState } = assertAsks(await round('era_greet'), ['user_name'])
  const brought = { inputResponses: alice, requestState }
  await gateway.restart()
  gateway.clock.advance(899)
  assert.equal(textOf(await round('era_greet', brought)), 'Hello, Alice!')
  gateway.clock.advance(1)
  assertInvalid(await round('era_greet', brought))
})
