const FIRST_SECONDS = 10
const LONGEST_SECONDS = 3_600

/** Seconds until the next attempt after this number of failures in a row, the first being 1; longer where the receiver asks for it. */
export function backoff(failures: number, asked = 0): number {
  const own = FIRST_SECONDS * 2 ** Math.min(failures - 1, 20)
  return Math.min(Math.max(own, asked), LONGEST_SECONDS)
}
