import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { send } from '../../http/test/requests.ts'
import { events } from './events.ts'
import { call, openSession, post, request } from './rpc.ts'
import { listen } from './stateless/requests.ts'
import { talkFixture } from './talk-plugin.ts'
import { addTenants, SESSION_SECRET, userOf } from './tokens.ts'

const talk = talkFixture()
let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talk.plugin], listen: true, env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(gateway, 'acme', 'other', 'kept')
})
after(() => gateway.stop())

const listChanged = (list: string) => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` })
const updated = (uri: string) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
const change = (list: string, headers: Record<string, string>) => post(gateway, call('talk_change', { list }), headers)
const subscribe = (uri: string, headers: Record<string, string>) => post(gateway, request('resources/subscribe', { uri }), headers)

test('GET needs a client that takes event streams, and a session that exists', async () => {
  const get = (headers: Record<string, string>) => send(`${gateway.url}/mcp`, { headers })
  const session = await openSession(gateway)
  const notAcceptable = await get({ ...session, accept: 'application/json' })
  assert.deepEqual([notAcceptable.status, notAcceptable.json.error.data.code], [406, 'NOT_ACCEPTABLE'])
  const nameless = await get({ accept: 'text/event-stream' })
  assert.deepEqual([nameless.status, nameless.json.error.code], [400, -32000])
  const unknown = await get({ accept: 'text/event-stream', 'mcp-session-id': 'none' })
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, -32001])
  const version = await get({ ...session, accept: 'text/event-stream', 'mcp-protocol-version': '1999-01-01' })
  assert.equal(version.status, 400)
  const strangers = await get({ ...session, ...userOf('acme'), accept: 'text/event-stream' })
  assert.equal(strangers.status, 404)
})

test('the endpoint lists GET among its methods, and has no HEAD', async () => {
  for (const method of ['HEAD', 'PUT']) {
    const { status, headers } = await send(`${gateway.url}/mcp`, { method })
    assert.deepEqual([status, headers.get('allow')], [405, 'DELETE, GET, OPTIONS, POST'])
  }
})

test('a stream begins with an event that says where to come back to, for clients that know such events', async () => {
  for (const [version, primed] of [
    ['2025-06-18', false],
    ['2025-11-25', true],
  ] as const) {
    const headers = await openSession(gateway, version)
    const stream = await events(gateway, { headers })
    assert.deepEqual([stream.status, stream.headers.get('content-type')], [200, 'text/event-stream'])
    assert.match(stream.headers.get('cache-control') ?? '', /no-cache/)
    if (primed) assert.deepEqual(await stream.next(), { id: '0_0', retry: 1000, data: '' })
    await change('tools', headers)
    assert.deepEqual(await stream.next(), { id: '0_1', data: listChanged('tools') })
    stream.cut()
  }
})

test('a new stream takes the place of the one before', async () => {
  const headers = await openSession(gateway, '2025-06-18')
  const first = await events(gateway, { headers })
  const second = await events(gateway, { headers })
  assert.equal(await first.next(), undefined)
  await change('prompts', headers)
  assert.deepEqual((await second.next())?.data, listChanged('prompts'))
  second.cut()
})

test('what was said before anyone listened is heard by the first that does, each thing once', async () => {
  const headers = await openSession(gateway, '2025-06-18')
  for (const list of ['tools', 'prompts', 'tools']) await change(list, headers)
  const stream = await events(gateway, { headers })
  assert.deepEqual([(await stream.next())?.data, (await stream.next())?.data], [listChanged('tools'), listChanged('prompts')])
  await change('resources', headers)
  assert.deepEqual((await stream.next())?.data, listChanged('resources'))
  stream.cut()
})

test('a lost stream is taken up where it was left', async () => {
  const headers = await openSession(gateway)
  const first = await events(gateway, { headers })
  await first.next()
  await change('tools', headers)
  const seen = await first.next()
  first.cut()
  await change('prompts', headers)
  await change('resources', headers)
  const second = await events(gateway, { headers: { ...headers, 'last-event-id': seen?.id ?? '' } })
  assert.deepEqual(
    [await second.next(), await second.next(), await second.next()],
    [
      { id: '0_1', retry: 1000, data: '' },
      { id: '0_2', data: listChanged('prompts') },
      { id: '0_3', data: listChanged('resources') },
    ],
  )
  // Resumes from the middle again: recently delivered events may have been lost on the way.
  const third = await events(gateway, { headers: { ...headers, 'last-event-id': '0_2' } })
  assert.deepEqual([(await third.next())?.data, (await third.next())?.data], ['', listChanged('resources')])
  third.cut()
})

test('an event that this session never had is 400', async () => {
  const headers = await openSession(gateway)
  for (const id of ['0_1', '0_', '1_0', 'nonsense', '0_-1', '0_99999999999999999999', '__proto___0']) {
    const { status, headers: sent } = await events(gateway, { headers: { ...headers, 'last-event-id': id } })
    assert.deepEqual([status, sent.get('content-type')], [400, 'application/json; charset=utf-8'], id)
  }
})

test('changes are heard by the sessions of their tenant, and by those that subscribed', async () => {
  const [acme, other] = [userOf('acme'), userOf('other')]
  const sessions = await Promise.all([acme, acme, other].map((user) => openSession(gateway, '2025-06-18', user)))
  const [subscribed, idle, foreign] = sessions as [Record<string, string>, Record<string, string>, Record<string, string>]
  const streams = await Promise.all(sessions.map((headers) => events(gateway, { headers })))
  const uri = 'talk://note'
  for (const headers of [subscribed, foreign]) assert.deepEqual((await subscribe(uri, headers)).json, { jsonrpc: '2.0', id: 1, result: {} })
  await post(gateway, call('talk_touch', { uri }), idle)
  await post(gateway, call('talk_touch', { uri: 'talk://colours/red' }), idle)
  // Last event that each stream must receive, so that the events before it are complete.
  await change('tools', acme)
  await change('prompts', other)
  const heard = []
  for (const [stream, last] of [
    [streams[0], 'tools'],
    [streams[1], 'tools'],
    [streams[2], 'prompts'],
  ] as const) {
    const all: unknown[] = []
    do all.push((await stream?.next())?.data)
    while ((all.at(-1) as { method: string }).method !== listChanged(last).method)
    heard.push(all)
    stream?.cut()
  }
  assert.deepEqual(heard, [[updated(uri), listChanged('tools')], [listChanged('tools')], [listChanged('prompts')]])
})

test('who unsubscribed hears no more', async () => {
  const headers = await openSession(gateway, '2025-06-18')
  const stream = await events(gateway, { headers })
  const uris = ['talk://note', 'talk://colours/red']
  for (const uri of uris) await subscribe(uri, headers)
  for (const uri of ['talk://note', 'talk://never']) {
    assert.deepEqual((await post(gateway, request('resources/unsubscribe', { uri }), headers)).json.result, {})
  }
  for (const uri of uris) await post(gateway, call('talk_touch', { uri }), headers)
  assert.deepEqual((await stream.next())?.data, updated('talk://colours/red'))
  stream.cut()
})

test('a subscription names a resource there can be, in a session, and a session has so many', async () => {
  const headers = await openSession(gateway)
  const refusal = async (uri: unknown, of = headers) => (await post(gateway, request('resources/subscribe', { uri }), of)).json.error
  assert.deepEqual([(await refusal('talk://none')).code, (await refusal('talk://none')).data], [-32002, { uri: 'talk://none' }])
  assert.equal((await refusal(7)).code, -32602)
  assert.equal((await refusal('talk://note', {})).code, -32600)
  assert.equal((await refusal(`talk://colours/${'x'.repeat(2_000)}`)).code, -32602)
  for (let i = 0; i < 200; i++) assert.equal(await refusal(`talk://colours/${i}`), undefined)
  assert.equal(await refusal('talk://colours/7'), undefined)
  assert.match((await refusal('talk://note')).message, /at most 200/)
})

test('the end of a session ends its streams', async () => {
  const headers = await openSession(gateway)
  const stream = await events(gateway, { headers })
  await stream.next()
  assert.equal((await send(`${gateway.url}/mcp`, { method: 'DELETE', headers })).status, 204)
  assert.equal(await stream.next(), undefined)
})

test('the suspension of a tenant ends its streams and calls at once, with and without a session, and nobody else’s', async () => {
  const [blocked, kept] = [userOf('blocked'), userOf('kept')]
  const [theirs, ours] = [await openSession(gateway, '2025-11-25', blocked), await openSession(gateway, '2025-11-25', kept)]
  const token = { progressToken: 1 }
  const streams = await Promise.all([
    events(gateway, { headers: theirs }),
    events(gateway, { headers: theirs, body: call('talk_gate', { gate: 'theirs', say: 'step' }, 1, token) }),
    events(gateway, { headers: blocked, body: call('talk_gate', { gate: 'loose', say: 'step' }, 1, token) }),
  ])
  const kept1 = await events(gateway, { headers: ours })
  const kept2 = await events(gateway, { headers: kept, body: call('talk_gate', { gate: 'ours', say: 'step' }, 1, token) })
  await post(gateway, call('talk_suspend', { tenant: 'blocked' }))
  for (const stream of streams) {
    const all = await stream.rest()
    assert.ok(all.every(({ data }) => data === '' || data.method === 'notifications/progress'))
  }
  for (const gate of ['theirs', 'loose']) await talk.left(gate)
  const refused = await post(gateway, request('ping', undefined, 9), theirs)
  assert.deepEqual([refused.status, refused.json.error.data.code], [403, 'TENANT_SUSPENDED'])
  assert.equal((await events(gateway, { headers: theirs })).status, 403)
  talk.open('ours')
  assert.equal((await kept2.rest()).at(-1)?.data.result.structuredContent.why, 'opened')
  await change('tools', kept)
  await kept1.next()
  assert.deepEqual((await kept1.next())?.data, listChanged('tools'))
  kept1.cut()
})

test('a stop ends the streams of those that only listen, and waits for no client', { timeout: 60_000 }, async () => {
  const stopping = await startTestGateway({ plugins: [talkFixture().plugin], listen: true, env: { GATEWAY_STOP_TIMEOUT_MS: '600000' } })
  const streams = await Promise.all(
    [1, 2, 3].map(async () => await events(stopping, { headers: await openSession(stopping, '2025-06-18') })),
  )
  await stopping.stop()
  for (const stream of streams) assert.equal(await stream.next(), undefined)
})

test('an idle stream gets a comment every fifteen seconds, whichever request it belongs to', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using quiet = await startTestGateway({ plugins: [talk.plugin], listen: true })
  const headers = await openSession(quiet, '2025-06-18')
  const listening = await events(quiet, { headers })
  const calling = await events(quiet, { body: call('talk_gate', { gate: 'quiet', say: 'step' }, 1, { progressToken: 1 }) })
  await calling.next()
  await talk.arrived('quiet')
  t.mock.timers.tick(15_000)
  for (const stream of [listening, calling]) assert.deepEqual(await stream.next(), { comment: 'keep-alive' })
  talk.open('quiet')
  assert.equal((await calling.rest()).length, 1)
})

test('a stream that only listens ends with its caller’s credential; a call that was let in goes on to its answer', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = testClock()
  await using brief = await startTestGateway({ plugins: [talk.plugin], listen: true, clock, env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(brief, 'acme')
  const user = userOf('acme', 'ann', Math.floor(clock.now() / 1_000) + 60)
  const headers = { ...user, ...(await openSession(brief, '2025-06-18', user)) }
  const listening = await events(brief, { headers })
  const stateless = await listen(brief, { toolsListChanged: true }, { headers: user })
  await stateless.next()
  const calling = await events(brief, { headers: user, body: call('talk_gate', { gate: 'brief', say: 'step' }, 1, { progressToken: 1 }) })
  await calling.next()
  await talk.arrived('brief')
  t.mock.timers.tick(15_000)
  assert.deepEqual(await listening.next(), { comment: 'keep-alive' })
  clock.advance(61)
  t.mock.timers.tick(15_000)
  await Promise.all([listening.rest(), stateless.rest()])
  talk.open('brief')
  assert.match(JSON.stringify(await calling.rest()), /"result"/)
})
