import { cutText } from '@gateway/sdk'
import { MAX_RESULT, type Run } from '../schema.ts'

export type Outcome = Pick<Run, 'status' | 'result' | 'error' | 'traceId' | 'costUsd'>

const MAX_ERROR = 2_000

export const failure = (error: string): Outcome => ({ status: 'error', error: cutText(error, MAX_ERROR) })

/**
 * Outcome of a call that succeeded. An invocation of a model answers with its text, trace and cost; the result of any other tool is
 * kept as JSON.
 */
export function success(result: object): Outcome {
  const { text, traceId, usage } = result as { text?: unknown; traceId?: unknown; usage?: { costUsd?: unknown } }
  const isInvocation = typeof text === 'string' && typeof traceId === 'string'
  const costUsd = usage?.costUsd
  return {
    status: 'success',
    result: cutText(isInvocation ? text : JSON.stringify(result, null, 2), MAX_RESULT),
    ...(isInvocation && { traceId }),
    ...(isInvocation && typeof costUsd === 'number' && { costUsd }),
  }
}
