import { defined } from '@gateway/sdk'
import type { ProviderState } from '../api.ts'
import type { ProviderHealth } from '../schema.ts'
import type { Host } from './host.ts'
import type { Lane } from './lane.ts'

/** The state of a provider, in short. */
export function stateOf(lane: Lane, host: Host, now: number): ProviderState {
  const { state, failures, openUntil } = lane.breaker(now)
  return {
    provider: lane.provider,
    breaker: state,
    failures,
    ...(openUntil !== undefined && { openUntil: new Date(openUntil).toISOString() }),
    status: lane.status,
    inFlight: lane.inFlight,
    queued: host.waitingFor(lane.provider),
  }
}

/** All that there is to know of a provider; nothing of where it is, or of its key. */
export function healthOf(lane: Lane, host: Host, now: number): ProviderHealth {
  const { provider, breaker, failures, openUntil, status, inFlight, queued } = stateOf(lane, host, now)
  const { wire, models = {} } = host.of(provider)
  const chain = [...host.lanes.keys()]
  const position = chain.indexOf(provider)
  const next = chain[position + 1]
  const { maintenance, restsUntil } = lane
  return {
    provider,
    wire,
    models: { ...models },
    circuitBreaker: { state: breaker, failures, ...defined({ openUntil }), opensAfter: lane.limits.failuresUntilRest },
    counts: { ...lane.counts, inFlight, queued },
    rateLimiter: {
      tokens: lane.bucket.tokens(now),
      capacity: lane.bucket.capacity,
      perMinute: lane.limits.requestsPerMinute,
      ...(restsUntil > now && { restsUntil: new Date(restsUntil).toISOString() }),
    },
    failover: { position, ...(next && { next }) },
    status,
    ...(maintenance && {
      maintenance: {
        since: maintenance.since,
        ...defined({ reason: maintenance.reason, operator: maintenance.operator }),
      },
    }),
  }
}
