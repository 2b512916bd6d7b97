import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Call, Request } from './history.ts'
import { faults, unexplained } from './linearizable.ts'

/** Records calls one after the other, unless they state their start and answer times. */
class Tape {
  readonly calls: Call[] = []
  #clock = 0

  call(holder: string, request: Request, answer?: Answer, span?: readonly [number, number]): this {
    const [invoked, returned] = span ?? [++this.#clock, ++this.#clock]
    this.calls.push({ key: 'k', holder, request, invoked, ...(answer && { returned, answer }) })
    return this
  }
}

const S = 1_000
const acquire: Request = { op: 'acquire', seconds: 30 }
const heartbeat = (epoch: number): Request => ({ op: 'heartbeat', epoch, seconds: 30 })
const release = (epoch: number): Request => ({ op: 'release', epoch, force: false })
const write = (fence: number): Request => ({ op: 'write', fence })
const given = (epoch: number, fence: number, at: number, { since = at, from }: { since?: number; from?: string } = {}): Answer => ({
  ok: true,
  lease: { epoch, fence, acquiredAt: since, at, until: at + 30 * S },
  ...(from !== undefined && { tookOverFrom: from }),
})
const heldBy = (holder: string, until: number): Answer => ({ ok: false, heldBy: holder, until })
const written = (at: number): Answer => ({ ok: true, at })
const no: Answer = { ok: false }

const right = (tape: Tape) => assert.equal(unexplained(tape.calls), undefined)
const wrong = (tape: Tape) => assert.match(unexplained(tape.calls) ?? 'explained', /no order/)

test('a life as it should be is explained', () => {
  right(
    new Tape()
      .call('a', acquire, given(1, 1, 0))
      .call('b', acquire, heldBy('a', 30 * S))
      .call('a', acquire, given(1, 1, 5 * S, { since: 0 }))
      .call('a', write(1), written(6 * S))
      .call('a', heartbeat(1), given(1, 1, 10 * S, { since: 0 }))
      .call('b', acquire, given(2, 2, 40 * S, { from: 'a' }))
      .call('a', heartbeat(1), { ok: false, heldBy: 'b' })
      .call('a', write(1), { ok: false, heldBy: 'b' })
      .call('a', release(1), no)
      .call('b', release(2), { ok: true })
      .call('b', release(2), no)
      .call('a', acquire, given(1, 5, 41 * S)),
  )
})

test('two holders at one time are not', () => {
  wrong(new Tape().call('a', acquire, given(1, 1, 0)).call('b', acquire, given(1, 2, 1 * S)))
  wrong(new Tape().call('a', acquire, given(1, 1, 0)).call('b', acquire, given(2, 2, 29 * S, { from: 'a' })))
})

test('a fence or an epoch that repeats is not, nor an epoch that leaps', () => {
  const over = () => new Tape().call('a', acquire, given(1, 7, 0)).call('a', release(1), { ok: true })
  right(over().call('b', acquire, given(1, 8, 1)))
  wrong(over().call('b', acquire, given(1, 7, 1)))
  wrong(over().call('b', acquire, given(1, 6, 1)))
  wrong(over().call('b', acquire, given(2, 8, 1)))
  const stale = (epoch: number, fence: number) =>
    new Tape().call('a', acquire, given(1, 7, 0)).call('b', acquire, given(epoch, fence, 30 * S, { from: 'a' }))
  right(stale(2, 8))
  wrong(stale(1, 8))
  wrong(stale(3, 8))
  wrong(stale(2, 7))
})

test('a heartbeat that changes epoch or fence is not, nor one of who lost the lease', () => {
  const held = () => new Tape().call('a', acquire, given(1, 1, 0))
  wrong(held().call('a', heartbeat(1), given(2, 1, 1)))
  wrong(held().call('a', heartbeat(1), given(1, 2, 1)))
  wrong(held().call('b', heartbeat(1), given(1, 1, 1)))
  wrong(
    held()
      .call('b', acquire, given(2, 2, 30 * S, { from: 'a' }))
      .call('a', heartbeat(1), given(1, 1, 31 * S)),
  )
})

test('a stale holder’s write that goes through is not', () => {
  const held = () => new Tape().call('a', acquire, given(1, 1, 0))
  right(held().call('a', write(1), written(29 * S)))
  wrong(held().call('a', write(1), written(30 * S)))
  wrong(
    held()
      .call('b', acquire, given(2, 2, 30 * S, { from: 'a' }))
      .call('a', write(1), written(31 * S)),
  )
  wrong(
    held()
      .call('a', release(1), { ok: true })
      .call('a', write(1), written(1 * S)),
  )
  wrong(held().call('a', write(3), written(1 * S)))
  wrong(held().call('b', write(1), written(1 * S)))
  // Also wrong: an answer that only a takeover without an answer could explain, because its fence would be another.
  wrong(
    held()
      .call('b', acquire)
      .call('b', acquire, heldBy('a', 30 * S))
      .call('a', write(1), written(31 * S)),
  )
  wrong(
    held()
      .call('b', acquire)
      .call('b', write(1), written(31 * S)),
  )
  right(
    held()
      .call('b', acquire)
      .call('b', write(2), written(31 * S)),
  )
})

test('a retry that gives another lease while the first is in force is not', () => {
  wrong(new Tape().call('a', acquire, given(1, 1, 0)).call('a', acquire, given(2, 2, 1, { from: 'a' })))
  wrong(
    new Tape()
      .call('a', acquire)
      .call('a', acquire, given(1, 1, 5))
      .call('a', acquire, given(1, 2, 6)),
  )
})

test('refusals without a reason are not', () => {
  wrong(new Tape().call('b', acquire, heldBy('a', 30 * S)))
  const held = () => new Tape().call('a', acquire, given(1, 1, 0))
  wrong(held().call('a', heartbeat(1), { ok: false, heldBy: 'a' }))
  wrong(held().call('a', release(1), no))
  wrong(held().call('b', acquire, heldBy('c', 30 * S)))
  wrong(held().call('a', write(1), { ok: false, heldBy: 'b' }))
})

test('what was answered is not forgotten, and time does not go back', () => {
  wrong(new Tape().call('a', acquire, given(1, 1, 0)).call('b', acquire, given(1, 2, 40 * S)))
  wrong(new Tape().call('a', acquire, given(1, 1, 9)).call('a', heartbeat(1), given(1, 1, 8, { since: 9 })))
})

test('calls at the same time may have been carried out in any order; an answer that came before a call was made may not follow it', () => {
  const early = new Tape().call('b', acquire, heldBy('a', 30 * S), [1, 9]).call('a', acquire, given(1, 1, 0), [2, 8])
  right(early)
  wrong(new Tape().call('b', acquire, heldBy('a', 30 * S), [1, 2]).call('a', acquire, given(1, 1, 0), [3, 4]))
})

test('a call without an answer may have been carried out, late or never', () => {
  right(new Tape().call('a', acquire).call('b', acquire, given(1, 1, 0)))
  right(
    new Tape()
      .call('a', acquire)
      .call('b', acquire, heldBy('a', 30 * S))
      .call('a', acquire, given(1, 1, 5, { since: 0 })),
  )
  right(
    new Tape()
      .call('a', acquire, given(1, 1, 0))
      .call('a', release(1))
      .call('b', acquire, given(1, 2, 1)),
  )
  right(
    new Tape()
      .call('a', acquire, given(1, 1, 0))
      .call('a', heartbeat(1))
      .call('b', acquire, heldBy('a', 55 * S)),
  )
  wrong(
    new Tape()
      .call('a', acquire)
      .call('b', acquire, given(1, 1, 0))
      .call('c', acquire, heldBy('a', 29 * S)),
  )
})

test('a call whose gateway was gone may have been carried out before that, and not after', () => {
  const lost = (...later: readonly [string, Request, Answer][]) => {
    const calls: Call[] = [{ key: 'k', holder: 'a', request: acquire, invoked: 1, lost: 2 }]
    later.forEach(([holder, request, answer], n) => {
      calls.push({ key: 'k', holder, request, answer, invoked: 10 * n + 10, returned: 10 * n + 11 })
    })
    return unexplained(calls)
  }
  assert.equal(lost(['b', acquire, heldBy('a', 30 * S)]), undefined)
  assert.equal(lost(['b', acquire, given(1, 1, 0)]), undefined)
  assert.match(lost(['b', acquire, given(1, 1, 0)], ['b', release(1), { ok: true }], ['c', acquire, heldBy('a', 90 * S)]) ?? '', /no order/)
})

test('each key is judged by itself, and each that is wrong is named', () => {
  const calls = new Tape().call('a', acquire, given(1, 1, 0)).call('b', acquire, given(1, 2, 1)).calls
  const both = [...calls, ...calls.map((call) => ({ ...call, key: 'l' })), { ...(calls[0] as Call), key: 'm' }]
  assert.deepEqual(faults(both).length, 2)
})
