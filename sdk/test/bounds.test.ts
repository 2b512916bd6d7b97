import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BoundedMap, BreakerPermit, Breakers, Permits, TimeLimitError, within, withTimeLimit } from '../src/bounds.ts'

describe('a breaker', () => {
  const LIMITS = { failures: 2, cooldownSeconds: 30 }
  const admit = (breakers: Breakers, now: number): BreakerPermit => {
    const entered = breakers.enter('a', now)
    assert.ok(entered instanceof BreakerPermit)
    return entered
  }
  const refused = (breakers: Breakers, now: number): number => {
    const entered = breakers.enter('a', now)
    assert.ok(!(entered instanceof BreakerPermit))
    return entered.retryAfterSeconds
  }
  const open = (now = 0): Breakers => {
    const breakers = new Breakers(LIMITS)
    for (let i = 0; i < LIMITS.failures; i++) admit(breakers, now).end('failed', now)
    return breakers
  }

  test('opens after a row of failures, that a success begins anew', () => {
    const breakers = new Breakers(LIMITS)
    for (const outcome of ['failed', 'worked', 'failed', 'unknown'] as const) admit(breakers, 0).end(outcome, 0)
    assert.deepEqual(breakers.state('a', 0), { key: 'a', state: 'closed', failures: 1 })
    admit(breakers, 0).end('failed', 0)
    assert.deepEqual(breakers.state('a', 1_000), { key: 'a', state: 'open', failures: 2, openUntil: 30_000 })
    assert.equal(refused(breakers, 1_000), 29)
    assert.ok(breakers.enter('b', 1_000) instanceof BreakerPermit)
  })

  test('lets one call through after its rest; the others wait for how that ends', () => {
    const breakers = open()
    const probe = admit(breakers, 30_000)
    assert.equal(breakers.state('a', 30_000).state, 'half_open')
    assert.equal(refused(breakers, 30_000), 5)
    probe.end('failed', 31_000)
    assert.equal(refused(breakers, 31_000), 30)
    admit(breakers, 61_000).end('unknown', 61_000)
    admit(breakers, 61_000).end('worked', 61_000)
    assert.deepEqual(breakers.states(61_000), [])
  })

  test('has one probe, also when calls from before the rest end beside it', () => {
    const breakers = new Breakers(LIMITS)
    const old = admit(breakers, 0)
    for (let i = 0; i < 2; i++) admit(breakers, 0).end('failed', 0)
    admit(breakers, 30_000)
    old.end('unknown', 30_000)
    assert.equal(refused(breakers, 30_000), 5)
  })

  test('hears each call once', () => {
    const breakers = new Breakers(LIMITS)
    const call = admit(breakers, 0)
    for (let i = 0; i < 5; i++) call.end('failed', 0)
    assert.equal(breakers.state('a', 0).failures, 1)
  })

  test('is closed by hand', () => {
    const breakers = open()
    assert.equal(breakers.reset('a'), true)
    assert.equal(breakers.reset('a'), false)
    admit(breakers, 0)
  })

  test('rests no longer when the clock is set back', () => {
    admit(open(3_600_000), 0)
  })
})

test('permits are taken of all shares or of none, and given back', () => {
  const permits = new Permits()
  const one = { key: 'one', atMost: 1 }
  const two = { key: 'two', atMost: 2 }
  assert.equal(permits.take([one, two]), undefined)
  assert.equal(permits.take([two, one]), one)
  assert.equal(permits.taken('two'), 1)
  permits.give([one, two])
  assert.deepEqual([permits.taken('one'), permits.taken('two')], [0, 0])
  assert.equal(permits.take([one]), undefined)
})

test('a bounded map lets the oldest go, and tells; what is set or refreshed is its newest', () => {
  const gone: string[] = []
  const map = new BoundedMap<string, number>(2, (value, key) => gone.push(`${key}${value}`))
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  assert.deepEqual(
    [...map],
    [
      ['a', 3],
      ['c', 4],
    ],
  )
  assert.equal(map.refresh('a'), 3)
  assert.equal(map.refresh('x'), undefined)
  map.set('d', 5)
  assert.deepEqual([...map.keys()], ['a', 'd'])
  assert.deepEqual(gone, ['b2', 'c4'])
})

test('work that is done in time has its own outcome, whichever it is', async () => {
  assert.equal(await within(Promise.resolve('done'), 60_000, 'late'), 'done')
  assert.equal(await withTimeLimit(Promise.resolve('done'), 60_000, 'the work'), 'done')
  await assert.rejects(within(Promise.reject(new Error('broken')), 60_000, 'late'), /broken/)
  await assert.rejects(withTimeLimit(Promise.reject(new Error('broken')), 60_000, 'the work'), /broken/)
})

test('work that takes longer is answered for: with what was given, or with an error that says which work and how long', async () => {
  let reject: (reason: Error) => void = () => undefined
  const work = new Promise<string>((_, fail) => (reject = fail))
  assert.equal(await within(work, 1, 'late'), 'late')
  await assert.rejects(
    withTimeLimit(work, 1, 'the work'),
    (error) => error instanceof TimeLimitError && error.message === 'the work took longer than 1 ms',
  )
  // Work that was given up may still fail: nobody handles the rejection, and the process continues.
  reject(new Error('too late to matter'))
})
