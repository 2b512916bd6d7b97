import type { ChannelResult } from '../schema.ts'

const FIRST_SECONDS = 30

/** Seconds until an alert is sent again to channels that may accept it later; `undefined` if nothing is left to try. */
export function nextTry(results: readonly ChannelResult[], attempts: number, atMost: number): number | undefined {
  if (attempts >= atMost || !results.some(({ transient }) => transient)) return undefined
  return FIRST_SECONDS * 2 ** (attempts - 1)
}

export function merged(before: readonly ChannelResult[], now: readonly ChannelResult[]): ChannelResult[] {
  const tried = new Set(now.map(({ channel }) => channel))
  return [...before.filter(({ channel }) => !tried.has(channel)), ...now]
}
