import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breachOf, type Objectives } from '../src/rules/breach.ts'

const settings = { p95Ms: 500, errorRatePct: 5, minSamples: 1, routeOverrides: {} } as Objectives
const slow = { samples: 100, p95: 60_000, errorRatePct: 0 }

test('calls of models have no latency objective by default, and keep their objective for errors', () => {
  assert.deepEqual(breachOf('tasks_claim', slow, settings)?.broken, ['p95'])
  assert.equal(breachOf('agents_invoke', slow, settings), undefined)
  const failing = breachOf('agents_invoke', { ...slow, errorRatePct: 50 }, settings)
  assert.deepEqual([failing?.broken, failing?.objective], [['errorRate'], { errorRatePct: 5 }])
})

test('an override gives calls of a model a latency objective', () => {
  const routeOverrides = { agents_invoke: { p95Ms: 30_000 } }
  assert.deepEqual(breachOf('agents_invoke', slow, { ...settings, routeOverrides })?.broken, ['p95'])
})
