import type { ModelMessage, ModelTool, ModelUsage } from './messages.ts'

/** USD for a million tokens. */
export interface TokenPrice {
  readonly inputPerMTok: number
  readonly outputPerMTok: number
  /** Default: `inputPerMTok`. */
  readonly cacheReadPerMTok?: number
  readonly cacheWritePerMTok?: number
  /** Price of a token that a cache keeps for an hour. Default: see `hourPrice`. */
  readonly cacheWrite1hPerMTok?: number
}
export interface Price extends TokenPrice {
  /** Source of the price; `settings` for one that the operator has set. */
  readonly source?: string
  /** Price of every token of a call whose prompt has more tokens than `overTokens`, those of caches included. */
  readonly longPrompts?: TokenPrice & { readonly overTokens: number }
}
export interface ReportedUsage {
  /** All tokens of the prompt, those of a cache included. */
  inputTokens?: number | undefined
  /** Tokens of the prompt that no cache holds, for a wire that does not report all of them. */
  uncachedTokens?: number | undefined
  cacheReadTokens?: number | undefined
  cacheWriteTokens?: number | undefined
  /** Part of `cacheWriteTokens`: kept for an hour. */
  cacheWrite1hTokens?: number | undefined
  outputTokens?: number | undefined
  /** Multiple of the public price that the service costs which has answered; absent for the usual one. */
  priceFactor?: number | undefined
}
type Tokens = Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'> &
  Pick<ReportedUsage, 'cacheWrite1hTokens'>

export const CHARACTERS_A_TOKEN = 4
/** A prompt may have this many times as many tokens as are estimated. */
const ESTIMATE_MARGIN = 1.5
/** Tokens of a message beyond its text, for its role and delimiters. */
const TOKENS_A_MESSAGE = 4

const tokensIn = (text: string): number => Math.ceil(text.length / CHARACTERS_A_TOKEN)

export function promptTokens(system: string | undefined, messages: readonly ModelMessage[], tools: readonly ModelTool[] = []): number {
  const texts = [...(system === undefined ? [] : [system]), ...messages.flatMap(textsOf), ...tools.map((tool) => JSON.stringify(tool))]
  return texts.reduce((sum, text) => sum + tokensIn(text) + TOKENS_A_MESSAGE, 0)
}

function textsOf(message: ModelMessage): readonly string[] {
  if (message.role === 'tool') return message.results.map(({ content }) => content)
  const calls = 'toolCalls' in message ? message.toolCalls : []
  return [message.content, ...calls.map((call) => call.name + call.arguments)]
}

export function costUsd(
  { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 }: Tokens,
  price: Price | undefined,
): number {
  if (!price) return 0
  const { longPrompts } = price
  const applied = longPrompts && inputTokens > longPrompts.overTokens ? longPrompts : price
  const { inputPerMTok, outputPerMTok, cacheReadPerMTok = inputPerMTok, cacheWritePerMTok = inputPerMTok } = applied
  const uncached = inputTokens - cacheReadTokens - cacheWriteTokens
  const written = (cacheWriteTokens - cacheWrite1hTokens) * cacheWritePerMTok + cacheWrite1hTokens * hourPrice(applied)
  const cached = cacheReadTokens * cacheReadPerMTok + written
  return (uncached * inputPerMTok + cached + outputTokens * outputPerMTok) / 1_000_000
}

/** The one vendor with such caches charges 2 times the input for an hour, and 1.25 times for five minutes. */
const HOUR_TO_INPUT = 2
const HOUR_TO_WRITE = 1.6
const hourPrice = ({ inputPerMTok, cacheWritePerMTok, cacheWrite1hPerMTok }: TokenPrice): number =>
  cacheWrite1hPerMTok ?? (cacheWritePerMTok === undefined ? HOUR_TO_INPUT * inputPerMTok : HOUR_TO_WRITE * cacheWritePerMTok)

export interface Dearer {
  /** Multiple of the public price that the service may cost which the call asks for. */
  readonly factor?: number
  /** True if a cache may keep the prompt for an hour. */
  readonly keepsHour?: boolean
}

/**
 * The greatest cost of a call: its prompt at the highest price of an input token, and the whole answer. The size of a prompt is an estimate,
 * so that one near the limit of long prompts costs what these cost.
 */
export function maxCostUsd(
  inputTokens: number,
  maxTokens: number,
  price: Price | undefined,
  { factor = 1, keepsHour = false }: Dearer = {},
): number {
  if (!price) return 0
  const { longPrompts } = price
  const applied = longPrompts && inputTokens * ESTIMATE_MARGIN > longPrompts.overTokens ? longPrompts : price
  const { inputPerMTok, outputPerMTok, cacheReadPerMTok = 0, cacheWritePerMTok = 0 } = applied
  const highest = Math.max(inputPerMTok, cacheReadPerMTok, cacheWritePerMTok, keepsHour ? hourPrice(applied) : 0)
  return costUsd({ inputTokens, outputTokens: maxTokens }, { inputPerMTok: highest, outputPerMTok }) * factorAt(price, factor)
}

/** An operator's price is that of the service which the operator has chosen. */
const factorAt = (price: Price | undefined, factor = 1): number => (price && price.source !== 'settings' ? factor : 1)

/**
 * The usage of a call: the provider's own counts, and an estimate, marked as one, in place of each that is missing or is 0 although there
 * was something to count.
 */
export function usageOf(reported: ReportedUsage, prompt: number, output: number, price: Price | undefined): ModelUsage {
  const { uncachedTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = reported
  const total = (uncachedTokens ?? 0) + cacheReadTokens + cacheWriteTokens
  const given = reported.inputTokens ?? (uncachedTokens !== undefined || total >= prompt ? total : 0)
  const inputTokens = given || prompt
  const outputTokens = reported.outputTokens || output
  const read = Math.min(cacheReadTokens, inputTokens)
  const written = Math.min(cacheWriteTokens, inputTokens - read)
  const tokens = {
    inputTokens,
    outputTokens,
    ...(read > 0 && { cacheReadTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
  }
  const factor = factorAt(price, reported.priceFactor)
  const estimated = !given || (reported.outputTokens ?? 0) !== outputTokens || factor !== 1
  const priced = { ...tokens, cacheWrite1hTokens: Math.min(cacheWrite1hTokens, written) }
  return { ...tokens, estimated, costUsd: costUsd(priced, price) * factor, priced: price !== undefined }
}
