import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wait } from '@gateway/sdk'
import { type WaitingCall, Waits } from '../src/index.ts'

const EVENT = 'thing.came'
type Spec = Partial<Wait<string, string | undefined>>

/** Waits without a gateway: events are emitted by hand, and each look and each change of the permits is counted. */
function setUp() {
  let listener: (payload: unknown, tenantId: string) => void = () => {}
  const subscribers = new Map<string, (note: { topic: string; tenantId: string; data?: unknown }) => void>()
  const things: string[] = []
  const log = { looks: 0, told: [] as unknown[], permits: 0, lost: (): void => {} }
  let now = 0
  const waits = new Waits({
    now: () => now,
    shareOf: (limit) => limit,
    overloaded: (message) => new Error(message),
    failed: (error) => assert.fail(String(error)),
    relay: {
      publish: (note) => void log.told.push(note),
      subscribe: (topic, subscriber) => void subscribers.set(topic, subscriber),
      onGap: (forget) => (log.lost = forget),
    },
    subscribe: (_event, subscribed) => (listener = subscribed),
  })
  waits.watch(EVENT)
  function call(overrides: Partial<WaitingCall> = {}): WaitingCall {
    return {
      tenantId: 'a',
      stopSignal: undefined,
      isConnected: true,
      abort() {},
      pause: () => void log.permits--,
      resume: () => void log.permits++,
      progress() {},
      refusal: async () => undefined,
      ...overrides,
    }
  }
  /** Waits to take a thing whose name begins with `wants`. */
  function take(wants: string, spec: Spec = {}, by = call()): Promise<string | undefined> {
    log.permits++
    return waits.of(EVENT, by, false).until<string | undefined>({
      seconds: 55,
      wants,
      async look() {
        log.looks++
        const at = things.findIndex((thing) => thing.startsWith(wants))
        return at < 0 ? undefined : things.splice(at, 1)[0]
      },
      isAnswer: (result) => result !== undefined,
      concerns: (thing) => (thing as string).startsWith(wants),
      took: (thing, result) => thing === result,
      ...spec,
    })
  }
  return {
    waits,
    log,
    call,
    take,
    come(thing: string, tenantId = 'a') {
      things.push(thing)
      listener(thing, tenantId)
    },
    put: (thing: string) => void things.push(thing),
    elsewhere: (tenantId: string) => subscribers.get('waits.look-again')?.({ topic: 'waits.look-again', tenantId, data: EVENT }),
    advance: (seconds: number) => void (now += seconds * 1_000),
  }
}

/** Lets everything that has begun go on. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
}

test('of 5,000 waiting calls nobody looks while nothing happens, and one looks when a thing comes', async () => {
  const { waits, log, take, come } = setUp()
  const calls = Array.from({ length: 5_000 }, (_, i) => take(i < 4_000 ? 'x' : `agent-${i}/`))
  await turns()
  assert.deepEqual([log.looks, log.permits, waits.size], [5_000, 0, 5_000])
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(log.looks, 5_000)
  come('x1')
  assert.equal(await calls[0], 'x1')
  come('agent-4711/1')
  assert.equal(await calls[4711], 'agent-4711/1')
  await turns()
  assert.deepEqual([log.looks, log.permits, waits.size], [5_002, 2, 4_998])
  come('x2', 'b')
  await turns()
  assert.equal(log.looks, 5_002)
  waits.close()
  assert.equal((await Promise.all(calls)).filter((thing) => thing === undefined).length, 4_998)
})

test('a call that finds nothing ends the round: somebody else was faster', async () => {
  const { waits, log, take, come } = setUp()
  const calls = Array.from({ length: 10 }, () => take('x'))
  await turns()
  come('x1')
  come('x2')
  const taken = await Promise.all([calls[0], calls[1]])
  assert.deepEqual(taken.sort(), ['x1', 'x2'])
  await turns()
  assert.ok(log.looks <= 14, `${log.looks} looks`)
  waits.close()
  await Promise.all(calls)
})

test('no thing is lost that comes while a call looks', async () => {
  const { waits, take, come } = setUp()
  let begun = (): void => {}
  const looking = new Promise<void>((resolve) => (begun = resolve))
  let goOn = (): void => {}
  let looks = 0
  const call = take('x', {
    async look() {
      if (++looks > 1) return 'x1'
      begun()
      await new Promise<void>((resolve) => (goOn = resolve))
      return undefined
    },
  })
  await looking
  come('x1')
  goOn()
  assert.equal(await call, 'x1')
  assert.equal(waits.size, 0)
})

test('messages of other nodes, and messages that may be lost, make one call of each kind look again', async () => {
  const { waits, log, take, put, elsewhere } = setUp()
  const calls = ['x', 'x', 'x', 'y', 'y'].map((wants) => take(wants))
  await turns()
  put('y1')
  elsewhere('a')
  assert.equal(await calls[3], 'y1')
  await turns()
  assert.equal(log.looks, 5 + 3)
  put('x1')
  log.lost()
  assert.equal(await calls[0], 'x1')
  elsewhere('b')
  await turns()
  assert.equal(log.told.length, 0)
  waits.of(EVENT, { ...setUp().call(), tenantId: 'a' }, true).lookAgain()
  assert.deepEqual(log.told, [{ topic: 'waits.look-again', tenantId: '', data: EVENT }])
  waits.close()
  await Promise.all(calls)
})

test('a call whose client is away is given nothing, and ends when it stays away', async () => {
  const { take, come, call, advance, log } = setUp()
  let isConnected = false
  const aborted: string[] = []
  const by = call({ abort: (why) => void aborted.push(why.message) })
  Object.defineProperty(by, 'isConnected', { get: () => isConnected })
  const first = take('x', {}, by)
  const second = take('x')
  await turns()
  come('x1')
  assert.equal(await second, 'x1')
  come('x2')
  await turns()
  isConnected = true
  assert.equal(await first, 'x2')
  isConnected = false
  const third = take('x', {}, by)
  await turns()
  advance(5)
  await assert.rejects(third, /the client disconnected/)
  assert.deepEqual(aborted, ['the client disconnected'])
  assert.equal(log.permits, 3)
})

test('a caller that is not admitted any more receives nothing, and an abort while a call looks is decided by the look', async () => {
  const { take, come, call, put, waits } = setUp()
  const refused = take('x', {}, call({ refusal: async () => new Error('revoked') }))
  const ended = assert.rejects(refused, /revoked/)
  await turns()
  const next = take('x')
  await turns()
  come('x1')
  await ended
  assert.equal(await next, 'x1')
  const abort = new AbortController()
  put('z1')
  const looking = take(
    'z',
    {
      async look() {
        abort.abort(new Error('gone'))
        return 'z1'
      },
    },
    call({ stopSignal: abort.signal }),
  )
  assert.equal(await looking, 'z1')
  assert.equal(waits.size, 0)
})

test('what is due is asked for once for all, and a later time only when it has come', async () => {
  const { take, put, advance, waits } = setUp()
  let asked = 0
  const spec: Spec = {
    async whenDue() {
      asked++
      return asked === 1 ? { at: 10_000, lookAgain: true } : undefined
    },
  }
  const calls = [take('x', spec), take('x', spec), take('x', spec)]
  await turns()
  assert.equal(asked, 1)
  put('x1')
  advance(10)
  assert.equal(await calls[0], 'x1')
  assert.ok(asked <= 3, `asked ${asked} times`)
  waits.close()
  await Promise.all(calls)
})
