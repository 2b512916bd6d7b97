import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '@gateway/sdk'
import { testClock } from '@gateway/testing'
import { RateLimits } from '../../src/registry/rate-limits.ts'

const caller = (id: string, tenantId = 'acme', kind: Principal['kind'] = 'api-key'): Principal => ({ id, kind, role: 'member', tenantId })
const takes = (rates: RateLimits, who: Principal, times: number): number =>
  Array.from({ length: times }, () => rates.take(who)).filter((refusal) => refusal === undefined).length

test('a caller makes as many calls at once as it may in a minute, and then as they come back', () => {
  const clock = testClock()
  const rates = new RateLimits(clock, { caller: 60, tenant: 0 })
  assert.equal(takes(rates, caller('a'), 100), 60)
  const refusal = rates.take(caller('a'))
  assert.deepEqual([refusal?.status, refusal?.details], [429, { of: 'caller', retryAfterSeconds: 1 }])
  assert.equal(takes(rates, caller('b'), 100), 60, 'others are not counted with it')
  assert.equal(takes(rates, caller('a', 'beta'), 100), 60, 'nor one of that id elsewhere')
  clock.advance(10)
  assert.equal(takes(rates, caller('a'), 100), 10)
  clock.advance(3_600)
  assert.equal(takes(rates, caller('a'), 100), 60, 'no more than a minute’s is saved up')
})

test('a clock that is set back refills from then on, and refuses nobody for the length of the step', () => {
  const clock = testClock()
  const rates = new RateLimits(clock, { caller: 60, tenant: 0 })
  assert.equal(takes(rates, caller('a'), 100), 60)
  clock.advance(-3_600)
  assert.deepEqual(rates.take(caller('a'))?.details, { of: 'caller', retryAfterSeconds: 1 })
  clock.advance(10)
  assert.equal(takes(rates, caller('a'), 100), 10)
})

test('the seconds to wait are those after which a call passes', () => {
  const clock = testClock()
  const rates = new RateLimits(clock, { caller: 0, tenant: 2 })
  takes(rates, caller('a'), 2)
  assert.deepEqual(rates.refusal(caller('b'))?.details, { of: 'tenant', retryAfterSeconds: 30 })
  clock.advance(29)
  assert.equal(rates.refusal(caller('b'))?.code, 'RATE_LIMITED')
  clock.advance(1)
  assert.equal(rates.refusal(caller('b')), undefined)
})

test('a refused call counts for neither the caller nor the tenant, and the operator and the gateway itself are not counted', () => {
  const rates = new RateLimits(testClock(), { caller: 2, tenant: 3 })
  assert.deepEqual([takes(rates, caller('a'), 10), takes(rates, caller('b'), 10)], [2, 1])
  assert.equal(takes(rates, caller('o', 'acme', 'operator'), 100) + takes(rates, caller('s', 'acme', 'system'), 100), 200)
  assert.equal(takes(new RateLimits(testClock(), { caller: 0, tenant: 0 }), caller('a'), 1_000), 1_000, 'without limits nobody is')
})

test('of more callers than are counted, the one that called longest ago begins anew', () => {
  const rates = new RateLimits(testClock(), { caller: 1, tenant: 0 })
  for (let n = 0; n <= 10_000; n++) assert.equal(rates.take(caller(`c${n}`)), undefined)
  assert.equal(rates.refusal(caller('c0')), undefined)
  assert.equal(rates.refusal(caller('c1'))?.code, 'RATE_LIMITED')
})
