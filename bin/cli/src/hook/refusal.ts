import { EXIT, isCommandError } from '@gateway/sdk/command'

/** True when the same request would be refused again. */
export function isRefusal(error: unknown): boolean {
  if (!isCommandError(error) || error.exitCode !== EXIT.refused) return false
  const { code } = (error.record ?? {}) as { code?: unknown }
  return !/UNAVAILABLE|RATE|LIMIT|TIMEOUT|INTERNAL|BUSY/.test(String(code))
}
