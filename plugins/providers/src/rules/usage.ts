import type { ModelMessage, ModelUsage } from '../api.ts'

export interface Price {
  readonly inputPerMTok: number
  readonly outputPerMTok: number
}
/** As far as a provider has said. */
export interface ReportedUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

const CHARACTERS_A_TOKEN = 4
/** What a message costs beside its text: its role and its borders. */
const TOKENS_A_MESSAGE = 4

export const tokensIn = (text: string): number => Math.ceil(text.length / CHARACTERS_A_TOKEN)

export function promptTokens(system: string | undefined, messages: readonly ModelMessage[]): number {
  const texts = [...(system === undefined ? [] : [system]), ...messages.map(({ content }) => content)]
  return texts.reduce((sum, text) => sum + tokensIn(text) + TOKENS_A_MESSAGE, 0)
}

export function costUsd(inputTokens: number, outputTokens: number, price: Price | undefined): number {
  if (!price) return 0
  return (inputTokens * price.inputPerMTok + outputTokens * price.outputPerMTok) / 1_000_000
}

/** What a call used: the provider’s own figures, and an estimate, marked as one, in place of any it has not given. */
export function usageOf(reported: ReportedUsage, prompt: number, text: string, price: Price | undefined): ModelUsage {
  const inputTokens = reported.inputTokens ?? prompt
  const outputTokens = reported.outputTokens ?? tokensIn(text)
  const estimated = reported.inputTokens === undefined || reported.outputTokens === undefined
  return { inputTokens, outputTokens, estimated, costUsd: costUsd(inputTokens, outputTokens, price), priced: price !== undefined }
}
