import type { AgentReport } from './adapter.ts'
import { secondsUntilFree, type Taken, takenPlace } from './taken.ts'

/** Reason why the runner itself stopped a run. */
export type Halt = 'claim' | 'return' | 'pause' | 'timeout'

export type FailureClass = 'agent' | 'check' | 'setup' | 'deliver' | 'timeout' | 'auth' | 'quota' | 'budget' | 'turns'

export type End =
  /** `lacks` says what was not done besides, for example that no pull request was opened. */
  | { readonly kind: 'delivered'; readonly lacks?: string }
  | { readonly kind: 'failed'; readonly failure: FailureClass; readonly error: string }
  /** The task goes back to the queue without a failed try. */
  | { readonly kind: 'returned'; readonly reason: string; readonly deferSeconds: number; readonly taken?: Taken; readonly isQuota?: true }
  /** Somebody else decides about the task now; nothing is written to it. */
  | { readonly kind: 'lost'; readonly reason: string }

/** An end, with the sentence that tells people where undelivered work is. */
export type Ended = End & { readonly kept?: string }

/** The end in one line, for people at the runner. */
export function lineOf(end: Ended): string {
  if (end.kind === 'delivered') return ['delivered', end.lacks].filter(Boolean).join('. ')
  const said = end.kind === 'failed' ? `failed (${end.failure}): ${end.error.split('\n')[0]}` : `${end.kind}: ${end.reason}`
  return [said, end.kept].filter(Boolean).join(' ')
}

/** Pause of a task whose quota does not say when it resets. */
const QUOTA_DEFER_SECONDS = 900
/** Pause of a task that was returned because work is paused. */
const PAUSE_DEFER_SECONDS = 60
const MAX_DEFER_SECONDS = 6 * 3_600

/** Decides how a run ends whose agent has stopped; `undefined` if its work goes on to the check and delivery. */
export function endOf(halt: { readonly why: Halt; readonly reason: string } | undefined, report: AgentReport): End | undefined {
  if (halt?.why === 'claim') return { kind: 'lost', reason: halt.reason }
  if (halt?.why === 'return') return { kind: 'returned', reason: halt.reason, deferSeconds: 0 }
  if (halt?.why === 'pause') return { kind: 'returned', reason: halt.reason, deferSeconds: PAUSE_DEFER_SECONDS }
  if (halt?.why === 'timeout') return { kind: 'failed', failure: 'timeout', error: halt.reason }
  const { stop = 'end', error = 'the agent stopped without a message' } = report
  if (stop === 'end') return undefined
  if (stop === 'quota') {
    const deferSeconds = Math.min(report.retryAfterSeconds ?? QUOTA_DEFER_SECONDS, MAX_DEFER_SECONDS)
    return { kind: 'returned', reason: `The quota of the agent is used up: ${error}`, deferSeconds, isQuota: true }
  }
  return { kind: 'failed', failure: stop === 'error' ? 'agent' : stop, error }
}

/** The end of a run that failed because a place is not free for now; undefined for other faults. `times` counts earlier returns. */
export function endOfTaken(error: unknown, times: number): End | undefined {
  const taken = takenPlace(error)
  return taken && { kind: 'returned', reason: taken.reason, deferSeconds: secondsUntilFree(times), taken }
}
