/** Where the gateway reads the time, so that tests can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}
export const systemClock: Clock = { now: Date.now }
