/** A clock that stands still until the test moves it. */
export interface TestClock {
  /** Epoch milliseconds. */
  now(): number
  /** Move on by `seconds` (may be a fraction). */
  advance(seconds: number): void
  set(time: Date | string): void
}

/** A clock that stands still at `start` until the test moves it. */
export function testClock(start: Date | string = '2026-01-05T09:00:00.000Z'): TestClock {
  let at = new Date(start).getTime()
  return {
    now: () => at,
    advance(seconds) {
      at += Math.round(seconds * 1000)
    },
    set(time) {
      at = new Date(time).getTime()
    },
  }
}
