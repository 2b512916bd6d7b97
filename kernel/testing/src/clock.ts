/** Clock that moves only when the test moves it. */
export interface TestClock {
  /** Returns epoch milliseconds. */
  now(): number
  /** Moves on by `seconds` (may be a fraction). */
  advance(seconds: number): void
  set(time: Date | string): void
}

/** Creates a clock that stays at `start` until the test moves it. */
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
