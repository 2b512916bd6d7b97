/** The gateway's source of time, which tests can set. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}
export const systemClock: Clock = { now: Date.now }
