/** Time between two steps. */
const STEP_EVERY_MS = 7_000

/** A clock that steps ahead and back by `stepMs`; nodes step at different times. */
function steppingClock(stepMs: number): { now(): number } {
  return {
    now() {
      const now = Date.now()
      return now + ((Math.floor(now / STEP_EVERY_MS + process.pid / 10) % 3) - 1) * stepMs
    },
  }
}

/** Option of a gateway whose clock steps by CLOCK_STEP_MS, where that is set. */
export const clockOf = ({ CLOCK_STEP_MS }: Readonly<Record<string, string>>) =>
  CLOCK_STEP_MS === undefined ? {} : { clock: steppingClock(Number(CLOCK_STEP_MS)) }
