import type { ModelTool, ModelToolCall, ModelToolResult } from '@gateway/plugin-providers/api'
import { type CallContext, cutText, isToolError, type Toolbox } from '@gateway/sdk'
import { boundedResult, errorText, readArguments } from '../rules/tool-result.ts'

export interface Calling {
  readonly toolbox: Toolbox
  /** The allow list. */
  readonly offered: ReadonlyMap<string, ModelTool>
  readonly signal: AbortSignal | undefined
  readonly ctx: CallContext
}
export interface Called {
  readonly result: ModelToolResult
  /** Error code that the model received. */
  readonly error?: string
  readonly message?: string
}

/**
 * Calls a tool that the model asks for, on the normal call path as the caller of the agent. Everything that a model can do wrong, and every
 * refusal of the tool, is a result for the model. Only the end of the invocation throws. `used`: characters of earlier results.
 */
export async function callTool({ toolbox, offered, signal, ctx }: Calling, call: ModelToolCall, used: number): Promise<Called> {
  const failed = (code: string, message: string, details?: unknown): Called => failedCall(call, used, code, message, details)
  const name = cutText(call.name, 100)
  if (!offered.has(call.name)) return failed('TOOL_NOT_OFFERED', `The tool ${JSON.stringify(name)} is not among those of this agent.`)
  const read = readArguments(call.arguments)
  if ('fault' in read) return failed('BAD_ARGUMENTS', read.fault)
  try {
    const { result, content } = await toolbox.call(call.name, read.args, { byModel: true, signal })
    return { result: { callId: call.id, content: boundedResult(JSON.stringify(content ?? result), used) } }
  } catch (error) {
    ctx.signal.throwIfAborted()
    signal?.throwIfAborted()
    if (!isToolError(error)) throw error
    return failed(error.code, error.message, error.details)
  }
}

export const failedCall = (call: ModelToolCall, used: number, code: string, message: string, details?: unknown): Called => ({
  result: { callId: call.id, content: boundedResult(errorText(code, message, details), used), isError: true },
  error: code,
  message,
})
