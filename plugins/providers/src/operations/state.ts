import { defined } from '@gateway/sdk'
import type { ProviderState } from '../api.ts'
import type { ProviderHealth, ProviderName } from '../schema.ts'
import type { ProviderGate } from './provider-gate.ts'
import type { ProviderPool } from './provider-pool.ts'

export function stateOf(gate: ProviderGate, pool: ProviderPool, now: number): ProviderState {
  const { state, failures, openUntil } = gate.breaker(now)
  return {
    provider: gate.provider,
    breaker: state,
    failures,
    ...(openUntil !== undefined && { openUntil: new Date(openUntil).toISOString() }),
    status: gate.status,
    inFlight: gate.inFlight,
    queued: pool.waitingFor(gate.provider),
  }
}

function pricesOf(provider: ProviderName, pool: ProviderPool) {
  const own = pool.served().filter((model) => model.provider === provider)
  return Object.fromEntries(
    own.flatMap(({ model }) => {
      const price = pool.priceAt(provider, model)
      return price ? [[model, price]] : []
    }),
  )
}

/** All that there is to know of a provider; nothing of where it is, or of its key. */
export function healthOf(gate: ProviderGate, pool: ProviderPool, now: number): ProviderHealth {
  const { provider, breaker, failures, openUntil, status, inFlight, queued } = stateOf(gate, pool, now)
  const { wire, models = {} } = pool.of(provider)
  const chain = [...pool.gates.keys()]
  const position = chain.indexOf(provider)
  const next = chain[position + 1]
  const { maintenance } = gate
  const cooldownUntil = gate.cooldownUntil(now)
  return {
    provider,
    wire,
    models: { ...models },
    prices: pricesOf(provider, pool),
    circuitBreaker: { state: breaker, failures, ...defined({ openUntil }), opensAfter: gate.limits.failureThreshold },
    counts: { ...gate.counts, inFlight, queued },
    rateLimiter: {
      tokens: gate.bucket.tokens(now),
      capacity: gate.bucket.capacity,
      perMinute: gate.limits.requestsPerMinute,
      ...(cooldownUntil !== undefined && { cooldownUntil: new Date(cooldownUntil).toISOString() }),
    },
    failover: { position, ...(next && { next }) },
    status,
    ...(maintenance && {
      maintenance: {
        since: maintenance.since,
        ...defined({
          reason: maintenance.reason,
          operator: maintenance.operator,
          operatorPrincipal: maintenance.operatorPrincipal,
        }),
      },
    }),
  }
}
