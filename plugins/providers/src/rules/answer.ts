import type { ModelMessage, ModelTool, StopReason } from './messages.ts'
import type { ReportedUsage } from './usage.ts'

export interface DraftToolCall {
  /** Position that the wire gives it, by which later parts are added to it. */
  readonly index: number
  id: string
  name: string
  arguments: string
}

/** An answer as it is put together from the events of a wire. */
export interface Draft {
  text: string
  /** Characters of reasoning, which are paid for and are not part of the answer. */
  hiddenCharacters: number
  /** Tools that the model asks for, in the order in which they began. */
  readonly toolCalls: DraftToolCall[]
  stopReason: StopReason | undefined
  usage: ReportedUsage
  /** True if the wire has signalled the end of the answer. */
  done: boolean
}
export const emptyDraft = (): Draft => ({ text: '', hiddenCharacters: 0, toolCalls: [], stopReason: undefined, usage: {}, done: false })

/** The answer does not follow the wire. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}
/** The provider reports a failure of its own where its answer should be. */
export class ReportedFailure extends Error {
  override readonly name = 'ReportedFailure'
  readonly kind: string
  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

export interface Prompt {
  readonly model: string
  readonly system: string | undefined
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[] | undefined
  readonly maxTokens: number
  /** Name of the limit, where a wire has two names for it. */
  readonly limitField?: 'max_tokens' | 'max_completion_tokens' | undefined
}

/** The wire of a kind of provider. Both readers return the text that is new. */
export interface Wire {
  readonly path: string
  headers(apiKey: string | undefined): Readonly<Record<string, string>>
  body(prompt: Prompt): object
  readEvent(draft: Draft, data: string): string
  /** An answer that came in one piece, from a provider that does not stream. */
  readWhole(draft: Draft, body: string): string
  /** Counts a prompt without answering it, where the wire can. */
  readonly count?: PromptCount
}

export interface PromptCount {
  readonly path: string
  /** The number of tokens; undefined where the answer has none. */
  read(body: string): number | undefined
}

type Json = Readonly<Record<string, unknown>>

export function readObject(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Malformed('it is no JSON')
  }
  return object(value) ?? fail('it is no JSON object')
}

export const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
/** More tokens than any model takes or gives in one call. */
const MAX_TOKENS = 10_000_000
/** A plausible count of tokens; undefined for any other value, which is replaced by an estimate. */
export const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS ? (value as number) : undefined

/**
 * Adds the counts of an event to those known so far. Each count is a total, so a later one replaces an earlier one; a 0 does not, because
 * providers that do not count report 0.
 */
export function addUsage({ usage }: Draft, given: ReportedUsage): void {
  for (const [name, tokens] of Object.entries(given) as [keyof ReportedUsage, number | undefined][]) if (tokens) usage[name] = tokens
}

const TEXT_PARTS = new Set<unknown>([undefined, 'text', 'output_text', 'text_delta'])

/** The text of a message: its content, or the text of the parts of its content in their order. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => {
      if (typeof part === 'string') return part
      const { type, text: value } = object(part) ?? {}
      return TEXT_PARTS.has(type) ? (text(value) ?? text(object(value)?.value) ?? '') : ''
    })
    .join('')
}

export function fail(what: string): never {
  throw new Malformed(what)
}

/** Throws when what came is a report of a failure. */
export function refuseReport(error: unknown): void {
  if (error === undefined || error === null) return
  const report = object(error)
  const kind = text(report?.type) ?? text(report?.code) ?? 'error'
  throw new ReportedFailure(kind, text(report?.message) ?? text(error) ?? 'it gave no reason')
}
