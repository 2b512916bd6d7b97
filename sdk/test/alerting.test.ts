import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AlertState, decideAlert } from '../src/alerting.ts'

const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 5) + minutes * 60_000)

test('whatever happens, people hear of a thing that is unwell, then that it is well, in turn; and never of the same twice within the window', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 20 })), { maxLength: 60 }), (looks) => {
      let known: AlertState | undefined
      let now = 0
      let believed = 0
      let raised = Number.NEGATIVE_INFINITY
      let worst = 0
      for (const [severity, minutes] of looks) {
        now += minutes
        const { say, state } = decideAlert(known, severity, at(now), 30)
        if (say === 'recovered') assert.ok(believed > 0 && severity === 0)
        if (say === 'raised') {
          assert.ok(severity > 0)
          assert.ok(now - raised >= 30 || severity > worst, 'told twice within the window')
          raised = now
          worst = severity
        }
        if (say !== undefined) believed = severity
        // A fault may stay unnoticed for no longer than the window.
        if (severity > 0 && now - raised >= 30) assert.ok(believed > 0)
        if (severity === 0) assert.equal(believed, 0)
        known = state
      }
    }),
  )
})

test('a clock that was set back keeps nothing quiet', () => {
  const { state } = decideAlert(undefined, 1, at(10_000), 30)
  const well = decideAlert(state, 0, at(10_000), 30).state
  assert.equal(decideAlert(well, 1, at(0), 30).say, 'raised')
})
