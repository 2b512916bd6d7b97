import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { Questions } from '../src/handshake/questions.ts'
import { type Events, events } from './events.ts'
import { call, openSession, post } from './rpc.ts'
import { questions, talkFixture } from './talk-plugin.ts'
import { addTenants, SESSION_SECRET, userOf } from './tokens.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talkFixture().plugin], listen: true, env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(gateway, 'acme', 'other')
})
after(() => gateway.stop())

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }
const open = (version = '2025-11-25', capabilities: object = everything, user = {}) => openSession(gateway, version, user, capabilities)
const ask = (headers: Record<string, string>, ...keys: string[]) =>
  events(gateway, { headers, body: call('talk_ask', { keys }, 'the call') })
const respond = async (headers: Record<string, string>, id: unknown, said: object) => {
  assert.equal((await post(gateway, { jsonrpc: '2.0', id, ...said }, headers)).status, 202)
}
/** Returns the next message, past the event that gives the resumption point. */
async function heard(stream: Events) {
  for (;;) {
    const event = await stream.next()
    if (event?.data !== '') return event?.data
  }
}
const structured = async (stream: Events) => (await heard(stream)).result.structuredContent

const accepted = { action: 'accept', content: { name: 'Ann', size: 's', more: 'nobody asked' } }

test('a call asks everything at once on its own stream, and goes on with the answers by key', async () => {
  const headers = await open()
  const stream = await ask(headers, 'form', 'page', 'model', 'folders')
  const asked = [await heard(stream), await heard(stream), await heard(stream), await heard(stream)]
  assert.deepEqual(
    asked.map(({ method }) => method),
    ['elicitation/create', 'elicitation/create', 'sampling/createMessage', 'roots/list'],
  )
  const [form, page, model] = asked.map(({ params }) => params)
  assert.deepEqual(form, questions.form?.params)
  assert.deepEqual(model, questions.model?.params)
  const { elicitationId, ...rest } = page
  assert.deepEqual([typeof elicitationId, rest], ['string', questions.page?.params])
  const answers = [
    accepted,
    { action: 'decline' },
    { role: 'assistant', content: { type: 'text', text: '4' }, model: 'm' },
    { roots: [{ uri: 'file:///x' }] },
  ]
  // The answers may come in any order.
  for (const i of [3, 1, 0, 2]) await respond(headers, asked[i].id, { result: answers[i] })
  const [formed, paged, modelled, folders] = answers
  assert.deepEqual(await structured(stream), { answers: { form: formed, page: paged, model: modelled, folders } })
  assert.equal(await stream.next(), undefined)
})

test('to a client of 2025-06-18 a form has no mode, and choices have their titles beside them', async () => {
  const headers = await open('2025-06-18')
  const stream = await ask(headers, 'form')
  const { id, params } = await heard(stream)
  assert.deepEqual(params, {
    message: 'Who are you?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'l'] } },
      required: ['name'],
    },
  })
  await respond(headers, id, { result: accepted })
  assert.deepEqual(await structured(stream), { answers: { form: accepted } })
})

test('what a client can do is what it declared, in a version that has it, in a session with a stream', async () => {
  const all = ['elicitation', 'elicitation.url', 'sampling', 'sampling.tools', 'roots', 'tasks']
  const sse = { accept: 'application/json, text/event-stream' }
  const cases: [Record<string, string>, string[]][] = [
    [{ ...(await open()), ...sse }, all],
    [{ ...(await open('2025-06-18')), ...sse }, ['elicitation', 'sampling', 'roots']],
    [{ ...(await open('2025-03-26')), ...sse }, ['sampling', 'roots']],
    [{ ...(await open('2025-11-25', { elicitation: {} })), ...sse }, ['elicitation', 'tasks']],
    [{ ...(await open('2025-11-25', { roots: true, sampling: [] })), ...sse }, ['tasks']],
    [{ ...(await open()), accept: 'application/json' }, []],
    [sse, []],
  ]
  for (const [headers, expected] of cases) {
    const { abilities } = (await post(gateway, call('talk_can'), headers)).json.result.structuredContent
    assert.deepEqual(abilities, expected)
  }
})

test('a question that the client cannot answer is refused before any is asked', async () => {
  const headers = { ...(await open('2025-11-25', { elicitation: {} })), accept: 'application/json, text/event-stream' }
  const { isError, structuredContent } = (await post(gateway, call('talk_ask', { keys: ['form', 'model'] }), headers)).json.result
  assert.deepEqual([isError, structuredContent.code, structuredContent.details], [true, 'INPUT_UNAVAILABLE', { ability: 'sampling' }])
})

test('an error in place of an answer is a refusal that repeats it, and the other questions are taken back', async () => {
  const headers = await open()
  const stream = await ask(headers, 'form', 'model')
  const [form, model] = [await heard(stream), await heard(stream)]
  await respond(headers, model.id, { error: { code: -1, message: 'User rejected sampling request' } })
  const cancelled = await heard(stream)
  assert.deepEqual([cancelled.method, cancelled.params.requestId], ['notifications/cancelled', form.id])
  const { code, error, details } = await structured(stream)
  assert.deepEqual([code, details.field], ['BAD_REQUEST', 'model'])
  assert.match(error, /refused to answer `model`: User rejected sampling request \(-1\)/)
})

test('an answer that does not fit its question is a refusal that names what is wrong', async () => {
  const cases: [string, unknown, RegExp][] = [
    ['form', { action: 'accept', content: { size: 's' } }, /`form\.content\.name`/],
    ['form', { action: 'accept', content: { name: 'Ann', size: 'xl' } }, /`form\.content\.size` must be one of s, l; got "xl"/],
    ['form', { action: 'perhaps' }, /`form\.action`/],
    ['model', { role: 'assistant', content: { type: 'text', text: '4' } }, /`model\.model`/],
    ['folders', { roots: 'all' }, /`folders\.roots`/],
    ['folders', 7, /`folders`/],
  ]
  const headers = await open()
  for (const [key, result, expected] of cases) {
    const stream = await ask(headers, key)
    await respond(headers, (await heard(stream)).id, { result })
    const { code, error } = await structured(stream)
    assert.equal(code, 'BAD_REQUEST')
    assert.match(error, expected)
  }
})

test('only the session that was asked can answer, though the ids are equal; the rest is ignored', async () => {
  const [acme, other] = [userOf('acme'), userOf('other')]
  const [asked, sibling, foreign] = [
    await open('2025-11-25', everything, acme),
    await open('2025-11-25', everything, acme),
    await open('2025-11-25', everything, other),
  ]
  const streams = await Promise.all([asked, foreign].map((headers) => ask(headers, 'folders')))
  const ids = await Promise.all(streams.map(async (stream) => (await heard(stream)).id))
  assert.equal(ids[0], ids[1])
  const roots = (name: string) => ({ result: { roots: [{ uri: `file:///${name}` }] } })
  await respond(sibling, ids[0], roots('sibling'))
  await respond({}, ids[0], roots('nobody'))
  await respond(acme, ids[0], roots('acme without a session'))
  assert.equal((await post(gateway, { jsonrpc: '2.0', id: ids[0], ...roots('thief') }, { ...asked, ...other })).status, 404)
  for (const id of ['q0', 'q999', 1, '']) await respond(asked, id, roots('wrong id'))
  await respond(foreign, ids[1], roots('foreign'))
  await respond(asked, ids[0], roots('asked'))
  await respond(asked, ids[0], roots('twice'))
  const answers = await Promise.all(streams.map(structured))
  assert.deepEqual(
    answers.map(({ answers }) => answers.folders.roots[0].uri),
    ['file:///asked', 'file:///foreign'],
  )
})

test('a question that was lost with its stream is asked again to the client that comes back', async () => {
  const headers = await open()
  const first = await ask(headers, 'folders')
  const prime = await first.next()
  first.cut()
  const again = await events(gateway, { headers: { ...headers, 'last-event-id': prime?.id ?? '' } })
  await respond(headers, (await heard(again)).id, { result: { roots: [] } })
  assert.deepEqual(await structured(again), { answers: { folders: { roots: [] } } })
})

test('a cancelled call takes its questions back and ends', async () => {
  const headers = await open()
  const stream = await ask(headers, 'folders')
  const { id } = await heard(stream)
  await post(gateway, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'the call' } }, headers)
  const [cancelled, ...more] = await stream.rest()
  assert.deepEqual([cancelled?.data.method, cancelled?.data.params.requestId, more], ['notifications/cancelled', id, []])
  assert.ok(!gateway.logs.some(({ level }) => Number(level) >= 50))
})

test('the answer may come in a batch, where there are batches', async () => {
  const headers = await open('2025-03-26')
  const stream = await ask(headers, 'folders')
  const { id } = await heard(stream)
  const batch = await post(gateway, [{ jsonrpc: '2.0', id, result: { roots: [] } }], headers)
  assert.deepEqual([batch.status, batch.text], [202, ''])
  assert.deepEqual(await structured(stream), { answers: { folders: { roots: [] } } })
})

test('a stop keeps nobody waiting for an answer', { timeout: 60_000 }, async () => {
  const stopping = await startTestGateway({ plugins: [talkFixture().plugin], listen: true, env: { GATEWAY_STOP_TIMEOUT_MS: '600000' } })
  const headers = await openSession(stopping, '2025-11-25', {}, everything)
  const stream = await events(stopping, { headers, body: call('talk_ask', { keys: ['folders'] }) })
  await heard(stream)
  const stopped = stopping.stop()
  const last = (await stream.rest()).at(-1)
  assert.equal(last?.data.result.structuredContent.code, 'UNAVAILABLE')
  await stopped
})

test('a question waits for ten minutes, and no longer', async () => {
  const clock = testClock()
  const asked = new Questions('2025-11-25', clock.now)
  const said: string[] = []
  const line = { say: (message: string) => void said.push(message), signal: new AbortController().signal }
  const early = assert.rejects(asked.ask({ folders: questions.folders! }, line), { code: 'UNAVAILABLE', message: /within 10 minutes/ })
  clock.advance(300)
  const late = asked.ask({ folders: questions.folders! }, line)
  clock.advance(300)
  asked.failOverdue()
  await early
  assert.equal(asked.size, 1)
  assert.equal(JSON.parse(said.at(-1) ?? '').params.requestId, JSON.parse(said[0] ?? '').id)
  asked.deliver({ kind: 'response', id: JSON.parse(said[1] ?? '').id, result: { roots: [] } })
  assert.deepEqual(await late, { folders: { roots: [] } })
  assert.equal(asked.size, 0)
})

test('a call whose question nobody answers is answered with that', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using quiet = await startTestGateway({ plugins: [talkFixture().plugin], listen: true })
  const headers = await openSession(quiet, '2025-11-25', {}, everything)
  const stream = await events(quiet, { headers, body: call('talk_ask', { keys: ['folders'] }) })
  const { id } = await heard(stream)
  quiet.clock.advance(599)
  t.mock.timers.tick(15_000)
  assert.equal((await stream.next())?.comment, 'keep-alive')
  quiet.clock.advance(1)
  t.mock.timers.tick(15_000)
  assert.deepEqual((await heard(stream)).params.requestId, id)
  assert.equal((await stream.next())?.comment, 'keep-alive')
  assert.equal((await structured(stream)).code, 'UNAVAILABLE')
})
