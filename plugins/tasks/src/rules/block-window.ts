/** Number of unauthorized moves into blocked that a repo may see, and their window. */
export interface BlockLimits {
  readonly threshold: number
  readonly windowMinutes: number
}

/**
 * A sliding window: the times of earlier blocks that still count plus this one, or `undefined` if the window is full. A block
 * stops counting exactly when the window's length has passed.
 */
export function admitBlock(times: readonly string[], limits: BlockLimits, now: Date): string[] | undefined {
  const since = new Date(now.getTime() - limits.windowMinutes * 60_000).toISOString()
  const counted = times.filter((time) => time > since)
  return counted.length < limits.threshold ? [...counted, now.toISOString()] : undefined
}
