import { EXIT, isCommandError } from '@gateway/sdk'

/** Code of the service's refusal, such as CONFLICT; `undefined` if the call failed in another way. */
export const refusalCode = (error: unknown): string | undefined =>
  isCommandError(error) ? (error.record as { code?: string } | undefined)?.code : undefined

/** True if a later try may succeed: nothing answered, or the service is busy or stopping. */
export function isPassing(error: unknown): boolean {
  if (!isCommandError(error)) return true
  const code = refusalCode(error)
  return error.exitCode === EXIT.unreachable || error.exitCode === EXIT.failure || PASSING.has(code ?? '')
}
const PASSING = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'CALL_TIMEOUT', 'INTERNAL_ERROR', 'IDEMPOTENCY_IN_PROGRESS', 'CANCELLED'])

/** Repeats a call while it fails in a passing way, until `until` or until `signal` aborts. */
export async function persist<T>(call: () => Promise<T>, until: number, signal?: AbortSignal): Promise<T> {
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await call()
    } catch (error) {
      if (!isPassing(error) || signal?.aborted || Date.now() + pause > until) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

const FATAL = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'UNKNOWN_TOOL', 'BAD_REQUEST', 'TENANT_SUSPENDED'])
/** True if the runner cannot work at all: its key is refused, or the service lacks what it needs. */
export const isFatal = (error: unknown): boolean => !isPassing(error) && FATAL.has(refusalCode(error) ?? '')
