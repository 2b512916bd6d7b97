import { type CallContext, contentOf, type ErrorRecord, isToolError, type ToolError } from '@gateway/sdk'
import type { Logger } from 'pino'
import { Cancelled, errorRecord, InternalError, kernelErrors } from '../errors.ts'
import type { Outcome } from '../gateway.ts'
import { checkContent } from './embedded.ts'
import type { Owner } from './owner.ts'
import { isPassedOn } from './toolbox.ts'

/** Error codes that no operation has to declare. */
export const COMMON: ReadonlySet<string> = new Set(kernelErrors.map((error) => error.code))

/** Content without a result is the result, so that programs receive what MCP clients see. */
export function succeeded(status: number, result: object): Outcome {
  const content = contentOf(result)
  if (content === undefined) return { ok: true, status, result }
  checkContent(content)
  return { ok: true, status, result: Object.keys(result).length === 0 ? { content } : result, content }
}

export function refuse(error: ToolError, requestId: string): { ok: false; status: number; error: ErrorRecord } {
  return { ok: false, status: error.status, error: errorRecord(error, requestId) }
}

type Stoppable = Pick<CallContext, 'signal' | 'tenantId' | 'requestId'>

/**
 * A declared error reaches the caller. A handler that ended because it was told to is not at fault. Anything else is logged with
 * its owner and becomes INTERNAL_ERROR.
 */
export function caught(error: unknown, owner: Owner, declared: ReadonlySet<string>, scope: Stoppable, log: Logger): ToolError {
  if (isToolError(error) && (declared.has(error.code) || isPassedOn(error))) return error
  if (isStop(error, scope.signal)) return Cancelled({ why: (scope.signal.reason as Error).message })
  const { tenantId, requestId } = scope
  log.error({ ...owner, tenantId, requestId, err: error }, 'a call failed with an undeclared error')
  return InternalError({})
}

/** Node's functions throw their own AbortError, others throw the reason itself. */
function isStop(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error as { name?: unknown } | null)?.name === 'AbortError')
}
