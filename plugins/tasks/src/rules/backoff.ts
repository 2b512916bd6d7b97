const FIRST_SECONDS = 5 * 60
/** No task waits longer for its next attempt. */
export const MAX_WAIT_SECONDS = 6 * 3600

/** Seconds until the next attempt after `retries` earlier retries: 5 m, 10 m, 20 m, … and never more than 6 h. */
export function backoffSeconds(retries: number): number {
  return Math.min(FIRST_SECONDS * 2 ** retries, MAX_WAIT_SECONDS)
}

/** Limits a pacing defer to 0 to 6 h. */
export function clampDefer(seconds: number): number {
  return Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS)
}
