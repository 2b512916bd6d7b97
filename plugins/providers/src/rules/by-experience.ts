import type { Candidate } from './candidates.ts'
import type { Success } from './experience.ts'
import type { TokenPrice } from './usage.ts'

/** Share of the tokens of a usual call that are its answer. */
const ANSWER_SHARE = 0.25
/** USD per million tokens that a model without a price is compared at: that of a cheap local model. */
const UNPRICED = 0.01
/** A model that fails more often than it works comes last, however cheap it is. */
const MIN_RATE = 0.5

export interface Known {
  readonly price: TokenPrice | undefined
  readonly success: Success
}

/**
 * Orders the models of the very tier by what an answer of each is expected to cost: its price, divided by its success. The models of other
 * tiers keep their places behind them. `why` is a sentence for a person, absent if there was no choice.
 */
export function byExperience(
  candidates: readonly Candidate[],
  knownOf: (candidate: Candidate) => Known,
): { readonly candidates: readonly Candidate[]; readonly why?: string } {
  const exact = candidates.filter((one) => one.exact).map((candidate) => ({ candidate, ...judge(knownOf(candidate)) }))
  if (exact.length < 2) return { candidates }
  const sorted = exact.sort((one, other) => Number(one.fails) - Number(other.fails) || one.expected - other.expected)
  const said = sorted.map(({ candidate, says }) => `${candidate.model} of ${candidate.provider} (${says})`)
  return {
    candidates: [...sorted.map(({ candidate }) => candidate), ...candidates.filter((one) => !one.exact)],
    why: `By price and success: ${said.join(', then ')}.`,
  }
}

function judge({ price, success: { calls, rate } }: Known) {
  const usd = price ? price.inputPerMTok * (1 - ANSWER_SHARE) + price.outputPerMTok * ANSWER_SHARE : 0
  const seen = calls < 1 ? 'no recent calls' : `${Math.round(rate * 100)} % of about ${Math.round(calls)} calls worked`
  const cost = price ? `${Number(usd.toPrecision(3))} USD per million tokens` : 'without a price'
  return { expected: Math.max(usd, UNPRICED) / rate, fails: rate < MIN_RATE, says: `${cost}, ${seen}` }
}
