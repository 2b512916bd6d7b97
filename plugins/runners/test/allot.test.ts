import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allot, isStale } from '../src/rules/allot.ts'

const now = new Date('2026-01-05T09:00:00.000Z')
const until = (minutes: number): string => new Date(now.getTime() + minutes * 60_000).toISOString()

const pools = fc
  .uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 })
  .chain((slots) =>
    fc.tuple(...slots.map((slot) => fc.integer({ min: -3, max: 3 }).map((m) => ({ slot, heartbeat: until(-3), leaseUntil: until(m) })))),
  )

test('a session is let in as long as there are fewer live ones than slots, into a slot nobody keeps', () => {
  fc.assert(
    fc.property(pools, fc.integer({ min: 1, max: 6 }), (held, slots) => {
      const live = held.filter((session) => !isStale(session, now))
      const allotment = allot(held, slots, now)
      assert.equal(allotment !== undefined, live.length < slots)
      if (!allotment) return
      const { slot, reclaimed } = allotment
      const kept = held.filter((session) => !reclaimed.includes(session))
      assert.ok(reclaimed.every((session) => isStale(session, now)))
      assert.ok(slot >= 1 && slot <= slots)
      assert.ok(!kept.some((session) => session.slot === slot))
      // Sessions that may come back are counted too, and no session is reclaimed without need.
      assert.ok(kept.length + 1 <= slots)
      assert.equal(reclaimed.length, Math.max(0, held.length + 1 - slots))
      const longest = Math.max(...reclaimed.map(({ leaseUntil }) => Date.parse(leaseUntil)))
      for (const session of kept) if (isStale(session, now)) assert.ok(Date.parse(session.leaseUntil) >= longest)
    }),
  )
})

test('a session is stale from the millisecond its lease is over', () => {
  const heartbeat = until(-1)
  assert.equal(isStale({ heartbeat, leaseUntil: new Date(now.getTime() + 1).toISOString() }, now), false)
  assert.equal(isStale({ heartbeat, leaseUntil: now.toISOString() }, now), true)
})
