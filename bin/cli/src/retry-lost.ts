import { setTimeout as after } from 'node:timers/promises'
import { EXIT, isCommandError } from '@gateway/sdk/command'

/** Waits between the attempts; a gateway that was killed is back within a few seconds. */
const WAITS_MS = [200, 500, 1_000, 2_000, 4_000]

/**
 * Repeats a call whose answer was lost, with the same idempotency key, so that it takes effect once. A service that did not answer
 * at all is not called again, and one that took too long `lateRepeats` times.
 */
export async function retryLost<T>(attempt: () => Promise<T>, lateRepeats = 0, waitsMs: readonly number[] = WAITS_MS): Promise<T> {
  let wasLost = false
  let late = 0
  for (const ms of waitsMs) {
    try {
      return await attempt()
    } catch (error) {
      const seconds = secondsToWait(error)
      const isRepeated = isLost(error) || (isLate(error) && late++ < lateRepeats) || (wasLost && isRefusedConnection(error))
      if (seconds === undefined && !isRepeated) throw error
      wasLost = true
      await after(seconds === undefined ? ms : seconds * 1_000)
    }
  }
  return attempt()
}

/** The first call is still running, or the service is stopping. */
function secondsToWait(error: unknown): number | undefined {
  if (!isCommandError(error)) return undefined
  const { code, details } = (error.record ?? {}) as { code?: unknown; details?: { retryAfterSeconds?: unknown } }
  const seconds = details?.retryAfterSeconds
  return code === 'IDEMPOTENCY_IN_PROGRESS' && typeof seconds === 'number' ? seconds : undefined
}

const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

const isLost = (error: unknown): boolean => isCommandError(error) && error.exitCode === EXIT.unreachable && LOST.has(codeOf(error))
const isLate = (error: unknown): boolean => isCommandError(error) && (error.cause as Error | undefined)?.name === 'TimeoutError'
const isRefusedConnection = (error: unknown): boolean => isCommandError(error) && codeOf(error) === 'ECONNREFUSED'

/** `fetch` wraps the fault of the connection once. */
function codeOf({ cause }: Error): string {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return String(inner?.code ?? code)
}
