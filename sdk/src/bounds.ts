/** Bounds for a process: maps, concurrent calls and work, bursts, failing calls, waits. */
export { BoundedMap } from './bounds/bounded-map.ts'
export {
  type BreakerLimits,
  type BreakerOutcome,
  BreakerPermit,
  type BreakerRefusal,
  type BreakerState,
  Breakers,
} from './bounds/breaker.ts'
export { mapConcurrently } from './bounds/map-concurrently.ts'
export { Pace } from './bounds/pace.ts'
export { Permits, type Share } from './bounds/permits.ts'
export { shared } from './bounds/shared.ts'
export { type Throttle, throttle } from './bounds/throttle.ts'
export { TimeLimitError, within, withTimeLimit } from './bounds/time-limit.ts'
export { Turns } from './bounds/turns.ts'
export { isWindowOpen } from './bounds/window.ts'
