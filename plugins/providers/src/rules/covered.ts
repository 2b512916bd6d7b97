import type { CoveredSpend } from '../api.ts'
import { type Dearer, maxCostUsd, type Price, type ReportedUsage, usageOf } from './usage.ts'

/** Tokens of a streamed answer that are on record before it begins; most answers need no second record. */
const FIRST_TOKENS = 256

/** The record of a call before it is asked. The size of an answer in one piece is unknown until it is there, so that all of it counts. */
export function coveredAtFirst(
  inputTokens: number,
  maxTokens: number,
  streams: boolean,
  price: Price | undefined,
  dearer: Dearer,
): CoveredSpend {
  const outputTokens = streams ? Math.min(maxTokens, FIRST_TOKENS) : maxTokens
  return { inputTokens, outputTokens, costUsd: maxCostUsd(inputTokens, outputTokens, price, dearer), priced: price !== undefined }
}

/** The record of a call whose answer may have this many tokens. The prompt counts as reported, or else at its greatest price. */
export function coveredUsage(
  reported: ReportedUsage,
  prompt: number,
  outputTokens: number,
  price: Price | undefined,
  dearer: Dearer,
): CoveredSpend {
  const { inputTokens, costUsd, priced } = usageOf({ ...reported, outputTokens }, prompt, outputTokens, price)
  const counted = reported.inputTokens !== undefined || reported.uncachedTokens !== undefined
  return { inputTokens, outputTokens, priced, costUsd: counted ? costUsd : maxCostUsd(prompt, outputTokens, price, dearer) }
}
