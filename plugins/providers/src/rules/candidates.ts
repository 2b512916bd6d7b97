import type { ProviderName, Tier } from '../schema.ts'
import { LADDER, type Route } from './tables.ts'
import { rungOf } from './tier.ts'

export interface Candidate {
  readonly provider: ProviderName
  readonly model: string
  /** Its model is of this very tier, not the nearest there is. */
  readonly exact: boolean
}

/** Providers that can take work of a tier, in the order of asking: first those that have a model of the tier, in the order of the chain. */
export function candidatesFor(tier: Tier, chain: readonly Route[]): readonly Candidate[] {
  const all = chain.flatMap((route) => {
    const model = modelFor(tier, route.models)
    return model === undefined ? [] : [{ provider: route.provider, model, exact: route.models[tier] !== undefined }]
  })
  return [...all.filter(({ exact }) => exact), ...all.filter(({ exact }) => !exact)]
}

/** The model of a tier, else of the next cheaper, else of the next more expensive one, else any. */
function modelFor(tier: Tier, models: Route['models']): string | undefined {
  if (models[tier] !== undefined) return models[tier]
  const rung = rungOf(tier)
  const nearest = [...LADDER.slice(0, rung + 1).reverse(), ...LADDER.slice(rung + 1), 'tier_x', 'tier_y'] as const
  const next = nearest.find((one) => models[one] !== undefined)
  return next && models[next]
}

export interface PinnedCandidate extends Candidate {
  readonly tier: Tier
}

/** The providers that have a model, by its name, or by `provider/model` or `provider:model`, in the order of the chain. */
export function candidatesOf(pin: string, chain: readonly Route[]): readonly PinnedCandidate[] {
  const named = (model: string, routes: readonly Route[]) =>
    routes.flatMap(({ provider, models, others = [] }) => {
      const ofTier = (Object.keys(models) as Tier[]).find((one) => models[one] === model)
      // A model that has a price and no tier may be named all the same.
      const tier = ofTier ?? (others.includes(model) ? 'standard' : undefined)
      return tier === undefined ? [] : [{ provider, model, exact: true, tier }]
    })
  const found = named(pin, chain)
  // A name may contain a slash or a colon itself.
  if (found.length > 0) return found
  const end = pin.search(/[/:]/)
  if (end < 0) return []
  return named(
    pin.slice(end + 1),
    chain.filter(({ provider }) => provider === pin.slice(0, end)),
  )
}
