import type { ProviderName, Tier } from '../schema.ts'
import { LADDER, type Route } from './tables.ts'
import { rungOf } from './tier.ts'

/** A provider with the model it would take. */
export interface Candidate {
  readonly provider: ProviderName
  readonly model: string
  /** Its model is of this very tier, not the nearest there is. */
  readonly exact: boolean
}

/** Who can take work of a tier, in the order in which they are asked: first those that have a model of it, as the chain has them. */
export function candidatesFor(tier: Tier, chain: readonly Route[]): readonly Candidate[] {
  const all = chain.flatMap((route) => {
    const model = modelFor(tier, route.models)
    return model === undefined ? [] : [{ provider: route.provider, model, exact: route.models[tier] !== undefined }]
  })
  return [...all.filter(({ exact }) => exact), ...all.filter(({ exact }) => !exact)]
}

/** The model of a tier, else of the next cheaper, else of the next dearer one, else any. */
function modelFor(tier: Tier, models: Route['models']): string | undefined {
  if (models[tier] !== undefined) return models[tier]
  const rung = rungOf(tier)
  const nearest = [...LADDER.slice(0, rung + 1).reverse(), ...LADDER.slice(rung + 1), 'tier_x', 'tier_y'] as const
  const next = nearest.find((one) => models[one] !== undefined)
  return next && models[next]
}
