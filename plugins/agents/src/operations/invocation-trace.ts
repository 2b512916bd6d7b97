import type { Completion } from '@gateway/plugin-providers/api'
import type { FinishedSpan, SpanRecorder } from '@gateway/plugin-traces/api'
import { type CallContext, cutText, isToolError } from '@gateway/sdk'

/** Records a span of each model call and of each tool call of an invocation. Without a family of traces it records none. */
export class InvocationTrace {
  readonly traceId: string
  readonly #name: string
  readonly #spans: SpanRecorder | undefined
  readonly #ctx: CallContext

  constructor(spans: SpanRecorder | undefined, traceId: string, name: string, ctx: CallContext) {
    this.#spans = spans
    this.traceId = traceId
    this.#name = name
    this.#ctx = ctx
  }

  now(): number {
    return this.#ctx.now().getTime()
  }

  async modelCall(turn: number, startMs: number, completion: Completion): Promise<void> {
    const { provider, model, tier, routing, usage, hops, stopReason, toolCalls, firstTokenMs, durationMs } = completion
    const spent = { provider, model, tier, rule: routing.rule, ...usage, hops, stopReason, firstTokenMs, durationMs }
    const attributes = { turn, ...spent, ...(toolCalls.length > 0 && { toolCalls: toolCalls.length }) }
    await this.#record({ name: this.#name, startMs, attributes })
  }

  /** Text that no caller may see must not appear in a trace either. */
  async modelFailure(turn: number, startMs: number, error: unknown): Promise<void> {
    const says = isToolError(error) ? error.message : 'It failed, or was ended by its caller.'
    await this.#record({ name: this.#name, startMs, status: 'error', error: says, attributes: { turn } })
  }

  async toolCall(turn: number, startMs: number, tool: string, outcome: { characters: number; error?: string | undefined }): Promise<void> {
    const { characters, error } = outcome
    const attributes = { turn, resultCharacters: characters }
    const failed = error === undefined ? {} : ({ status: 'error', error } as const)
    await this.#record({ name: `tool ${cutText(tool, 100)}`, parentName: this.#name, startMs, attributes, ...failed })
  }

  async #record(span: Omit<FinishedSpan, 'taskId' | 'service' | 'endMs'>): Promise<void> {
    await this.#spans?.record({ taskId: this.traceId, service: 'gateway', endMs: this.now(), ...span })
  }
}
