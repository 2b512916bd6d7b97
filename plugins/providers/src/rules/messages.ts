/** A tool that a model may ask for. `input` is the JSON Schema of its arguments. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly input: object
}
/**
 * A model's wish to call a tool. `arguments` is the text as the model wrote it: it need not be JSON, and is empty only if the answer was cut
 * off before it.
 */
export interface ModelToolCall {
  /** Unique within its message. */
  readonly id: string
  readonly name: string
  readonly arguments: string
}
export interface ModelToolResult {
  readonly callId: string
  readonly content: string
  readonly isError?: boolean | undefined
}
export interface ModelText {
  readonly role: 'user' | 'assistant'
  readonly content: string
}
/** A turn of the model that asks for tools; the next message must have a result for each call. */
export interface ModelToolRequest extends ModelText {
  readonly role: 'assistant'
  readonly toolCalls: readonly ModelToolCall[]
}
export interface ModelToolResults {
  readonly role: 'tool'
  readonly results: readonly ModelToolResult[]
}
export type ModelMessage = ModelText | ModelToolRequest | ModelToolResults

/** `tools`: the model asks for tools; `length`: the answer is unfinished, mostly because its limit or that of the context was reached; `filtered`: the provider held text back. */
export type StopReason = 'end' | 'length' | 'filtered' | 'tools'

/**
 * The tokens and the price of a call. `estimated`: the provider reported no plausible count, so four characters count as a token.
 * `inputTokens` includes those of caches, which are absent where there are none.
 */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly estimated: boolean
  /** 0 for a model without a price in `prices`: `priced` is false then. */
  readonly costUsd: number
  readonly priced: boolean
}
