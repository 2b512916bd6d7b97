import { Unavailable } from '@gateway/sdk'
import { ModelRefused } from '../errors.ts'
import type { Candidate } from '../rules/candidates.ts'
import type { Failure } from '../rules/failure.ts'
import { type NoProviderError, SETTING, type SkippedProvider } from './provider-pool.ts'

export interface FailedHop {
  readonly candidate: Candidate
  readonly failure: Failure
}

export const skippedProvider = ({ candidate, failure }: FailedHop): SkippedProvider => ({
  provider: candidate.provider,
  says: failure.says,
})

/** No provider answered: the reason of each, and the earliest time for a retry. */
export function noneAnswered(failed: readonly FailedHop[], refusal?: NoProviderError): Error {
  const passed = [...failed.map(skippedProvider), ...(refusal?.passed ?? [])]
  const waits = [...failed.map(({ failure }) => failure.retryAfterMs), refusal?.retryAfterMs].filter((ms) => ms !== undefined)
  const seconds = waits.length === 0 ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(Math.min(...waits) / 1_000)) }
  const reasons = [...new Set(passed.map(({ provider, says }) => `${provider}: ${says}`))].join('; ')
  const message = reasons === '' ? `No provider has a model: set ${SETTING}.<provider>.models.` : `No model answered. ${reasons}.`
  return Unavailable({ message, ...(reasons === '' && { setting: `${SETTING}.<provider>.models` }), ...seconds })
}

/** Another provider would receive the same request and refuse it as well. */
export function refusedCall({ candidate: { provider, model }, failure: { says, status = 400 } }: FailedHop, tools = 0): Error {
  const offered =
    tools === 0 ? '' : ` ${tools} tools were offered: if the model takes none, choose another model, or an agent without tools.`
  const message = `The provider ${provider} does not serve this call of ${model}: ${says}.${offered}`
  return ModelRefused({ provider, model, status, message, ...(tools > 0 && { toolsOffered: tools }) })
}
