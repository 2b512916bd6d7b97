import { isToolError } from '@gateway/sdk'
import type { AgentResult } from '../api.ts'

export interface Ending {
  readonly outcome: 'done' | 'review' | 'failed' | 'deferred'
  /** Text for the notes of the task. */
  readonly text: string
  /** Why it is not done. */
  readonly reason?: string
  /** No provider takes calls now: it is in maintenance, or rests after failures. */
  readonly noModel?: boolean
}

/** An answer that was cut off is for a person to judge; a budget that is used up costs the task no retry. */
export function endingOf({ text, stopReason, reason, turns, toolCalls }: AgentResult): Ending {
  if (stopReason === 'end')
    return { outcome: 'done', text: text.trim() === '' ? `Done with ${toolCalls} tool calls, without a text.` : text }
  if (stopReason === 'length') return { outcome: 'review', text, reason: 'The answer was cut off at its limit of tokens.' }
  if (stopReason === 'filtered') return { outcome: 'failed', text, reason: 'The model refused, or a filter withheld its answer.' }
  const why = reason ?? `The run ended after ${turns} model calls.`
  return { outcome: stopReason === 'budget' ? 'deferred' : 'failed', text, reason: why }
}

/** A budget, or the minutes of the plan, may have room later: the task waits without a failed try. */
const DEFERRED = ['BUDGET_EXCEEDED', 'PLAN_LIMIT_REACHED']

/** `noModel`: no provider takes calls any more, which is not a failure of the task either. */
export function failedEnding(error: unknown, noModel = false): Ending {
  if (!isToolError(error)) return { outcome: 'failed', text: '', reason: 'The agent failed, or its call was ended before it answered.' }
  if (noModel) return { outcome: 'deferred', text: '', reason: error.message, noModel }
  return { outcome: DEFERRED.includes(error.code) ? 'deferred' : 'failed', text: '', reason: error.message }
}
