import type { Outgoing, OutgoingCaller, OutgoingRequest } from '@gateway/plugin-outgoing/api'
import { isToolError } from '@gateway/sdk'
import type { Failure } from '../errors.ts'
import { headFailure, readAnswer } from '../rules/answer.ts'

export type Answer =
  | { readonly value: unknown }
  | { readonly failure: Failure; readonly status?: number }
  | { readonly busy: { readonly message: string; readonly retryAfterSeconds: number } }
  | 'timeout'

/** A POST with a JSON answer. Rejects if the caller has disconnected. */
export async function post(outgoing: Pick<Outgoing, 'open'>, request: OutgoingRequest, caller: OutgoingCaller): Promise<Answer> {
  try {
    const response = await outgoing.open(request, caller)
    const failure = headFailure(response.status, response.headers)
    if (!failure) return readAnswer(await response.bytes())
    response.cancel()
    return failure
  } catch (error) {
    const answer = isToolError(error) ? answerOf(error.code, error.details as Details) : undefined
    if (answer === undefined) throw error
    return answer
  }
}

interface Details {
  readonly reason: string
  readonly phase: string
  readonly message: string
  readonly retryAfterSeconds: number
}

function answerOf(code: string, { reason, phase, message, retryAfterSeconds }: Details): Answer | undefined {
  switch (code) {
    case 'OUTGOING_TIMEOUT':
      return phase === 'connect' ? { failure: 'unreachable' } : 'timeout'
    case 'OUTGOING_BUSY':
      return { busy: { message, retryAfterSeconds } }
    case 'OUTGOING_FAILED':
      return { failure: FAILURE_OF.get(reason) ?? 'unreachable' }
    default:
      return undefined
  }
}

/** Codes that say more than the absence of an answer. */
const FAILURE_OF: ReadonlyMap<string, Failure> = new Map([
  ['address', 'address'],
  ['untrusted', 'untrusted'],
  ['expired', 'expired'],
  ['name', 'name'],
  ['too_large', 'size'],
])
