import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '@gateway/sdk'
import { type TestClock, testClock } from '@gateway/testing'
import type { EventStream } from '../src/event-stream.ts'
import { CallClient } from '../src/handshake/call-client.ts'
import type { Session } from '../src/handshake/session.ts'
import { Sessions } from '../src/handshake/sessions.ts'
import { KeepAlive } from '../src/keep-alive.ts'
import { LazyAbort } from '../src/lazy-abort.ts'
import { LiveStreams } from '../src/live-streams.ts'

const agreed = { version: '2025-11-25', abilities: ['roots', 'tasks'] } as const
const principal = (id: string, tenantId = 'local'): Principal => ({ id, tenantId, kind: 'user', role: 'member' })
const ann = principal('ann')

/** Connection whose client reads everything, or as little as the test wants. */
interface Connection extends EventStream {
  readonly sent: string[]
  full: boolean
  readonly ended: boolean
  /** Closes the connection as the client. */
  lose(): void
}
function connection(): Connection {
  const listeners: (() => void)[] = []
  const sent: string[] = []
  let ended = false
  const close = (): void => {
    ended = true
    for (const listener of listeners.splice(0)) listener()
  }
  return {
    sent,
    full: false,
    get ended() {
      return ended
    },
    send: (message, id) => void sent.push(`${id} ${message.toString()}`),
    event: (name, data) => void sent.push(`${name} ${data}`),
    prime: (id) => void sent.push(`${id} `),
    keepAlive: () => void sent.push('alive'),
    end: close,
    onClose: (listener) => void listeners.push(listener),
    lose: close,
  }
}

function setUp(): { clock: TestClock; sessions: Sessions; open: (who?: Principal) => Session } {
  const clock = testClock()
  const sessions = new Sessions(clock)
  return { clock, sessions, open: (who = ann) => sessions.open(who, agreed) }
}
const listen = (session: Session): Connection => {
  const made = connection()
  session.connect(session.standalone, made)
  return made
}
/** Starts a call that sends these messages, over its own connection. */
function speak(session: Session, ...words: string[]): { call: CallClient; stream: Connection } {
  const stream = connection()
  const call = new CallClient(1, new LazyAbort(), session, () => stream)
  session.running.set(1, call)
  for (const word of words) call.say(word)
  return { call, stream }
}

test('another caller’s session does not exist', () => {
  const { sessions, open } = setUp()
  const { id } = open()
  for (const other of [principal('bob'), principal('ann', 'elsewhere')]) assert.equal(sessions.find(id, other), undefined)
  assert.ok(sessions.find(id, ann))
})

test('when the table is full, whoever has most sessions loses the one it used longest ago', () => {
  const { sessions, open } = setUp()
  const others = [open(principal('bob')), open(principal('ann', 'elsewhere'))]
  const [first, second] = [open(), open()]
  for (let i = 0; i < 10_500; i++) {
    assert.ok(sessions.find(first.id, ann))
    open()
  }
  assert.equal(sessions.size, 10_000)
  assert.deepEqual(
    [first, second].map(({ id }) => sessions.find(id, ann)),
    [first, undefined],
  )
  for (const session of others) assert.ok(sessions.find(session.id, principal(session.owner.id, session.owner.tenantId)))
})

test('a session is idle after an hour without use, unless its client is connected', () => {
  const { clock, sessions, open } = setUp()
  const [listening, calling, waiting, silent] = [open(), open(), open(), open()]
  const stream = listen(listening)
  const { stream: callStream } = speak(calling, 'x')
  const plain = new LazyAbort()
  waiting.running.set(1, new CallClient(1, plain, waiting, undefined))
  for (let hour = 0; hour < 3; hour++) {
    clock.advance(3_600)
    sessions.tick()
  }
  assert.deepEqual([...sessions.all()], [listening, calling, waiting])
  assert.equal(sessions.find(silent.id, ann), undefined)
  stream.lose()
  callStream.lose()
  plain.abort(new Error('the client disconnected'))
  clock.advance(3_600)
  sessions.tick()
  assert.equal(sessions.size, 0)
})

test('a call that nobody came back to for an hour is stopped with its session', () => {
  const { clock, sessions, open } = setUp()
  const { call, stream } = speak(open(), 'x')
  stream.lose()
  clock.advance(3_599)
  sessions.tick()
  assert.equal(call.abort.reason, undefined)
  clock.advance(1)
  sessions.tick()
  assert.ok(call.abort.signal.aborted)
})

test('a suspended tenant loses its sessions and the calls they run, and nobody else does', () => {
  const { sessions, open } = setUp()
  const [theirs, ours] = [open(principal('ann', 'them')), open(principal('ann', 'us'))]
  const { call, stream } = speak(theirs, 'x')
  sessions.endTenant('them')
  assert.ok(call.abort.signal.aborted)
  assert.ok(stream.ended)
  assert.deepEqual([...sessions.all()], [ours])
})

test('a session that ended holds nothing any more, and neither does what its calls still say', async () => {
  const { sessions, open } = setUp()
  const session = open()
  const standalone = listen(session)
  sessions.subscriptions.add(session, 'x://y')
  session.notify('changed')
  const { call, stream } = speak(session, 'one')
  const asked = assert.rejects(call.ask({ folders: { method: 'roots/list', params: {}, needs: 'roots' } }), { code: 'UNAVAILABLE' })
  assert.ok(sessions.budget.used > 0)
  sessions.end(session)
  await asked
  call.say('two')
  call.finish('the answer')
  session.notify('more')
  const held = [sessions.size, sessions.subscriptions.size, sessions.budget.used, session.questions.size, session.running.size]
  assert.deepEqual(held, [0, 0, 0, 0, 0])
  assert.deepEqual([...sessions.subscriptions.of('local', 'x://y')], [])
  assert.ok(standalone.ended && stream.ended)
  assert.equal(session.placeOf('1_1'), undefined)
})

test('what was delivered is kept for a minute, and what was not until its client comes', () => {
  const { clock, sessions, open } = setUp()
  const session = open()
  const delivered = speak(session, 'word')
  delivered.call.finish('answer')
  const lost = speak(session, 'word')
  lost.stream.lose()
  lost.call.finish('answer')
  clock.advance(59)
  session.tick()
  assert.ok(session.placeOf('1_0'))
  clock.advance(1)
  session.tick()
  assert.equal(session.placeOf('1_0'), undefined)
  const place = session.placeOf('2_1')
  assert.ok(place)
  const again = connection()
  session.connect(place, again)
  assert.deepEqual([again.sent, again.ended], [['2_1 ', '2_2 answer'], true])
  clock.advance(60)
  session.tick()
  assert.deepEqual([session.placeOf('2_1'), sessions.budget.used], [undefined, 0])
})

test('while a client is connected what it has heard goes after a minute; what may have been lost with a connection stays', () => {
  const { clock, sessions, open } = setUp()
  const session = open()
  const first = listen(session)
  session.notify('early')
  clock.advance(40)
  session.notify('late')
  clock.advance(20)
  session.tick()
  assert.equal(sessions.budget.used, 'late'.length)
  first.lose()
  clock.advance(600)
  session.tick()
  const place = session.placeOf('0_0')
  assert.ok(place)
  const second = connection()
  session.connect(place, second)
  assert.deepEqual(second.sent, ['0_0 ', '0_2 late'])
})

test('a session keeps so many events and so much text; a stream sheds its own first', () => {
  const { sessions, open } = setUp()
  const session = open()
  const waiting = speak(session, 'word')
  waiting.stream.lose()
  waiting.call.finish('answer')
  const chatty = speak(session)
  for (let i = 0; i < 2_000; i++) chatty.call.say('x'.repeat(10))
  assert.ok(sessions.budget.used <= 5_000 + 20)
  for (let i = 0; i < 50; i++) chatty.call.say('y'.repeat(100_000))
  assert.ok(sessions.budget.used <= 1_048_576)
  const place = session.placeOf('1_0')
  assert.ok(place)
  const again = connection()
  session.connect(place, again)
  assert.deepEqual(again.sent, ['1_0 ', '1_1 word', '1_2 answer'])
})

test('all sessions together keep so much, and go on without keeping', () => {
  const { sessions, open } = setUp()
  for (let i = 0; i < 100; i++) {
    const { stream, call } = speak(open(), 'z'.repeat(1_000_000))
    stream.lose()
    call.finish('answer')
  }
  assert.ok(sessions.budget.used <= 67_108_864)
  const { stream } = speak(open(), 'z'.repeat(1_000_000))
  assert.equal(stream.sent.length, 2)
  for (const session of sessions.all()) sessions.end(session)
  assert.equal(sessions.budget.used, 0)
})

test('a client that does not keep up misses progress, hears what matters, and is sent back for changes', () => {
  const { open } = setUp()
  const session = open()
  session.logLevel = 'debug'
  const { call, stream } = speak(session, 'first')
  stream.full = true
  call.log('error', 'progress')
  call.say('question')
  assert.deepEqual(stream.sent, ['1_0 ', '1_1 first', '1_2 question'])
  const standalone = listen(session)
  standalone.full = true
  for (let i = 0; i < 100; i++) session.notify('changed')
  assert.deepEqual([standalone.sent, standalone.ended], [['0_0 '], true])
  assert.deepEqual(listen(session).sent, ['0_0 ', '0_1 changed'])
})

test('open streams are kept alive, those of a blocked tenant are ended, and closed ones forgotten', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const live = new LiveStreams(new KeepAlive(1_000))
  const [acme, other, slow] = [connection(), connection(), connection()]
  const stopped: Error[] = []
  live.add(acme, { tenantId: 'acme', stop: (why) => stopped.push(why) })
  live.add(other, { tenantId: 'other', stop: (why) => stopped.push(why) })
  live.add(slow, { tenantId: 'other', stop: (why) => stopped.push(why) })
  slow.full = true
  t.mock.timers.tick(1_000)
  assert.deepEqual([acme.sent, other.sent, slow.sent], [['alive'], ['alive'], []])
  const why = new Error('suspended')
  live.endTenant('acme', why)
  assert.deepEqual([acme.ended, other.ended, stopped, live.size], [true, false, [why], 2])
  other.lose()
  slow.lose()
  t.mock.timers.tick(1_000)
  assert.deepEqual([live.size, other.sent], [0, ['alive']])
})

test('of streams that only listen a tenant has a quarter beside others, and all while it is alone', () => {
  const admission = { isShared: false }
  const live = new LiveStreams(new KeepAlive(1_000), admission)
  const streams = Array.from({ length: 1_251 }, () => connection())
  for (const stream of streams) {
    live.requireRoom('acme')
    live.add(stream, { tenantId: 'acme', stop: () => {} })
  }
  live.requireRoom('acme')
  admission.isShared = true
  assert.throws(() => live.requireRoom('acme'), { code: 'UNAVAILABLE' })
  live.requireRoom('other')
  for (const stream of streams) stream.lose()
  live.requireRoom('acme')
})

test('whatever lets a session go, it is told once, with the time from its beginning to its last use', () => {
  const clock = testClock()
  const told: [string, number][] = []
  const sessions = new Sessions(clock, ({ id, usedMs }) => void told.push([id, usedMs]))
  const [deleted, idle, blocked] = [sessions.open(ann, agreed), sessions.open(ann, agreed), sessions.open(ann, agreed)]
  clock.advance(60)
  for (const session of [deleted, blocked]) sessions.touch(session)
  sessions.end(deleted)
  sessions.end(deleted)
  clock.advance(3_590)
  sessions.touch(blocked)
  sessions.tick()
  assert.deepEqual(told, [
    [deleted.id, 60_000],
    [idle.id, 0],
  ])
  sessions.endTenant(ann.tenantId)
  assert.deepEqual(told[2], [blocked.id, 3_650_000])
})
