import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { type Events, events } from './events.ts'
import { call, openSession, post } from './rpc.ts'
import { talkFixture } from './talk-plugin.ts'

const talk = talkFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talk.plugin], listen: true })
})
after(() => gateway.stop())

const token = { progressToken: 'p' }
const gate = (name: string, args: object = {}, id: unknown = 1) => call('talk_gate', { gate: name, ...args }, id, token)
const comeBack = (headers: Record<string, string>, id: string | undefined): Promise<Events> =>
  events(gateway, { headers: { ...headers, 'last-event-id': id ?? '' } })
const step = (progress: number) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress } })
const opened = (name: string) => ({ gate: name, why: 'opened' })

test('a call that lost its stream goes on, and its client gets what it missed, and then the answer', async () => {
  const headers = await openSession(gateway)
  const first = await events(gateway, { headers, body: gate('lost', { say: 'step' }) })
  const [prime, seen] = [await first.next(), await first.next()]
  assert.deepEqual([prime, seen?.data], [{ id: '1_0', retry: 1000, data: '' }, step(1)])
  await talk.arrived('lost')
  first.cut()
  talk.step('lost')
  const second = await comeBack(headers, seen?.id)
  assert.deepEqual([(await second.next())?.id, (await second.next())?.data], [seen?.id, step(2)])
  talk.step('lost')
  assert.deepEqual((await second.next())?.data, step(3))
  talk.open('lost')
  const [answer, ...more] = await second.rest()
  assert.deepEqual([answer?.data.id, answer?.data.result.structuredContent, more], [1, opened('lost'), []])
})

test('also beside an open standalone stream, from the first event on, and in versions that know no such event', async () => {
  const headers = await openSession(gateway, '2025-03-26')
  const standalone = await events(gateway, { headers })
  const first = await events(gateway, { headers, body: gate('old', { say: 'step' }) })
  assert.deepEqual(await first.next(), { id: '1_1', data: step(1) })
  await talk.arrived('old')
  first.cut()
  talk.open('old')
  await talk.left('old')
  const again = await comeBack(headers, '1_0')
  assert.deepEqual(
    (await again.rest()).map(({ data }) => data.result?.structuredContent ?? data),
    [step(1), opened('old')],
  )
  standalone.cut()
})

test('a stream that is taken up again hears nothing of its session’s other streams', async () => {
  const headers = await openSession(gateway)
  const one = await events(gateway, { headers, body: gate('one', { say: 'step' }, 'same') })
  const two = await events(gateway, { headers, body: gate('two', { say: 'step' }, 'same') })
  const place = (await one.next())?.id
  one.cut()
  await Promise.all([talk.arrived('one'), talk.arrived('two')])
  talk.open('two')
  const again = await comeBack(headers, place)
  talk.open('one')
  const answers = [await again.rest(), await two.rest()].map((all) => all.at(-1)?.data.result.structuredContent)
  assert.deepEqual(answers, [opened('one'), opened('two')])
})

test('a client that saw everything is told not to come back', async () => {
  const headers = await openSession(gateway)
  const stream = await events(gateway, { headers, body: gate('done', { say: 'step' }) })
  await talk.arrived('done')
  talk.open('done')
  const last = (await stream.rest()).at(-1)
  const { status, headers: sent } = await comeBack(headers, last?.id)
  assert.deepEqual([status, sent.get('content-type')], [204, null])
  const before = await comeBack(headers, '1_1')
  assert.deepEqual((await before.rest()).at(-1)?.data, last?.data)
})

test('another session cannot take up the stream, nor another caller', async () => {
  const [headers, others] = [await openSession(gateway), await openSession(gateway)]
  const stream = await events(gateway, { headers, body: gate('mine', { say: 'step' }) })
  const place = (await stream.next())?.id
  assert.equal((await comeBack(others, place)).status, 400)
  await talk.arrived('mine')
  talk.open('mine')
  await stream.rest()
})

test('a call is stopped when its client goes away before the stream began, or has no session to come back to', async () => {
  const headers = await openSession(gateway)
  const silent = new AbortController()
  const hungUp = fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    signal: silent.signal,
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(gate('silent')),
  })
  await talk.arrived('silent')
  silent.abort()
  await assert.rejects(hungUp)
  const loose = await events(gateway, { body: gate('loose', { say: 'step' }) })
  assert.deepEqual(await loose.next(), { data: step(1) })
  await talk.arrived('loose')
  loose.cut()
  for (const name of ['silent', 'loose']) await talk.left(name)
})

test('a cancelled call ends without an answer, though its client is away', async () => {
  const headers = await openSession(gateway)
  const stream = await events(gateway, { headers, body: gate('cancelled', { say: 'step' }, 7) })
  const place = (await stream.next())?.id
  stream.cut()
  await talk.arrived('cancelled')
  await post(gateway, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, headers)
  await talk.left('cancelled')
  assert.equal((await comeBack(headers, place)).status, 400)
})

test('a call lets its client go, and the client comes back for the answer', async () => {
  const headers = await openSession(gateway)
  for (const say of ['detach', 'detach-required']) {
    const stream = await events(gateway, { headers, body: gate(say, { say }) })
    const [prime, ...more] = await stream.rest()
    assert.deepEqual([prime?.retry, prime?.data, more], [1000, '', []])
    await talk.arrived(say)
    const waiting = await comeBack(headers, prime?.id)
    assert.deepEqual((await waiting.next())?.data, '')
    talk.open(say)
    const answer = await waiting.next()
    assert.deepEqual([answer?.data.id, answer?.data.result.structuredContent], [1, opened(say)])
    assert.equal(await waiting.next(), undefined)
  }
})

test('a client that cannot come back waits on, or is refused when it must', async () => {
  const cases = [
    { headers: await openSession(gateway, '2025-06-18') },
    { headers: {} },
    { headers: { ...(await openSession(gateway)), accept: 'application/json' } },
  ]
  for (const { headers } of cases) {
    const waiting = post(gateway, gate('stays', { say: 'detach' }), headers)
    await talk.arrived('stays')
    talk.open('stays')
    assert.deepEqual((await waiting).json.result.structuredContent, opened('stays'))
    const refused = (await post(gateway, gate('stays', { say: 'detach-required' }), headers)).json.result.structuredContent
    assert.deepEqual([refused.code, refused.details], ['INPUT_UNAVAILABLE', { ability: 'tasks' }])
  }
})

test('an answer too large to be kept for a client that is away becomes an error, and reaches one that is there', async () => {
  const headers = await openSession(gateway)
  for (const away of [true, false]) {
    const stream = await events(gateway, { headers, body: gate('large', { say: 'detach', size: 1_100_000 }) })
    const place = (await stream.rest())[0]?.id
    await talk.arrived('large')
    const waiting = away ? undefined : await comeBack(headers, place)
    await waiting?.next()
    talk.open('large')
    await talk.left('large')
    const [answer] = (await (waiting ?? (await comeBack(headers, place))).rest()).filter(({ data }) => data !== '')
    if (away) assert.match(answer?.data.error.message, /too large/)
    else assert.equal(answer?.data.result.structuredContent.why.length, 1_100_006)
  }
})
