import {
  type Completion,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
  type ModelToolCall,
  type ModelToolResult,
  models,
} from '@gateway/plugin-providers/api'
import { spanRecorder } from '@gateway/plugin-traces/api'
import { type CallContext, isToolError, optional, type Resolved, toolbox } from '@gateway/sdk'
import type { Invocation, Invoked, Reached, ToolUse } from '../api.ts'
import { config } from '../config.ts'
import { totalOf } from '../rules/totals.ts'
import { type Called, callTool, failedCall } from './call-tool.ts'
import { InvocationTrace } from './invocation-trace.ts'
import { progressOf } from './progress.ts'

export const loopUses = { models, toolbox, config, spans: optional(spanRecorder) }
type Refs = Resolved<typeof loopUses>

/** Tool calls of one answer; the model is told that the others were not made. */
const MAX_CALLS_A_TURN = 16
export const CHANNEL_OF = { mcp: 'mcp', job: 'scheduler', rest: undefined, event: undefined } as const

export interface Running {
  /** Name of the spans of its model calls. */
  readonly name: string
  readonly agent: string | undefined
  readonly system: string
  readonly offered: ReadonlyMap<string, ModelTool>
}

/**
 * Calls the model, then the tools it asks for, and again with their results, until it asks for none or a limit ends it: the turns, or a cap
 * of a budget. A cap that is reached before the first answer is the refusal itself.
 */
export async function runLoop(refs: Refs, invocation: Invocation, running: Running, ctx: CallContext): Promise<Invoked> {
  const trace = new InvocationTrace(refs.spans, invocation.traceId ?? ctx.newId('trace-'), running.name, ctx)
  const messages: ModelMessage[] = [...(invocation.history ?? []), { role: 'user', content: invocation.message }]
  const ask = asking(refs, invocation, running, messages, trace, ctx)
  const done: Completion[] = []
  const uses: ToolUse[] = []
  let used = 0
  const ended = (stopReason: Invoked['stopReason'], limit?: Reached): Invoked => {
    const facts = { stopReason, ...(limit && { limit }), turns: done.length, toolCalls: uses, traceId: trace.traceId }
    return { ...totalOf(done), ...facts }
  }
  for (;;) {
    const reason = done.length === 0 ? undefined : await invocation.overBudget?.()
    if (reason !== undefined) return ended('budget', { code: 'BUDGET_EXCEEDED', message: reason })
    let answer: Completion
    try {
      answer = await ask(done.length + 1)
    } catch (error) {
      if (done.length === 0 || !isToolError(error) || error.code !== 'BUDGET_EXCEEDED') throw error
      return ended('budget', { code: 'BUDGET_EXCEEDED', message: error.message, details: { ...(error.details as object) } })
    }
    done.push(answer)
    const { text, toolCalls, stopReason } = answer
    if (toolCalls.length === 0) return ended(stopReason === 'tools' ? 'end' : stopReason)
    if (done.length >= refs.config.maxTurns) return ended('turns', turnsReached(refs.config.maxTurns))
    const results: ModelToolResult[] = []
    for (const [at, call] of toolCalls.entries()) {
      ctx.signal.throwIfAborted()
      invocation.signal?.throwIfAborted()
      const startMs = trace.now()
      const calling = { toolbox: refs.toolbox, offered: running.offered, signal: invocation.signal, ctx }
      const { result, error, message } = at < MAX_CALLS_A_TURN ? await callTool(calling, call, used) : notCalled(call)
      used += result.content.length
      results.push(result)
      uses.push({ tool: call.name.slice(0, 100), ...(error !== undefined && { error }) })
      await trace.toolCall(done.length, startMs, call.name, { characters: result.content.length, error: message })
    }
    messages.push({ role: 'assistant', content: text, toolCalls }, { role: 'tool', results })
  }
}

const turnsReached = (maxTurns: number): Reached => ({
  code: 'MAX_TURNS',
  message: `The agent was still asking for tools after ${maxTurns} model calls, the limit agents.maxTurns.`,
})

const notCalled = (call: ModelToolCall): Called =>
  failedCall(call, 0, 'TOO_MANY_CALLS', `Only the first ${MAX_CALLS_A_TURN} tools of an answer are called. Ask for this one again.`)

function asking(
  { models }: Refs,
  invocation: Invocation,
  { agent, system, offered }: Running,
  messages: readonly ModelMessage[],
  trace: InvocationTrace,
  ctx: CallContext,
): (turn: number) => Promise<Completion> {
  const { maxTokens, model, tier, workType, taskId, channel, signal, onDelta } = invocation
  const channelType = invocation.channelType ?? CHANNEL_OF[ctx.via]
  const progress = progressOf(ctx, maxTokens)
  const tools = [...offered.values()]
  let attempts = 0
  return async (turn) => {
    const startMs = trace.now()
    const before = attempts
    let isRecorded = false
    const request: ModelRequest = {
      agent,
      system,
      maxTokens,
      model,
      tier,
      workType,
      taskId,
      channelType,
      channel,
      signal,
      messages: [...messages],
      ...(tools.length > 0 && { tools }),
      onDelta(text, attempt) {
        attempts = before + attempt + 1
        progress(text, before + attempt)
        onDelta?.(text, before + attempt)
      },
      async onAnswer(completion) {
        isRecorded = true
        await trace.modelCall(turn, startMs, completion)
      },
    }
    try {
      return await models.complete(request)
    } catch (error) {
      if (!isRecorded) await trace.modelFailure(turn, startMs, error)
      throw error
    }
  }
}
