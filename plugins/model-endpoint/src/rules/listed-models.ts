import type { ServedModel } from '@gateway/plugin-providers/api'
import { TIERS } from '@gateway/plugin-providers/api'
import { closed, Type } from '@gateway/sdk'

/** A model with the members of both wires. */
export const Model = Type.Object(
  {
    id: Type.String(),
    object: Type.String(),
    created: Type.Integer(),
    owned_by: Type.String(),
    type: Type.String(),
    display_name: Type.String(),
    created_at: Type.String(),
  },
  closed,
)

const modelOf = (id: string, owner: string) => ({
  id,
  object: 'model',
  created: 0,
  owned_by: owner,
  type: 'model',
  display_name: id,
  created_at: '1970-01-01T00:00:00Z',
})

/** Everything that a call can name as its model: tiers, models, and models of one provider. */
export function listedModels(served: readonly ServedModel[]) {
  const tiers = TIERS.filter((tier) => served.some(({ tiers }) => tiers.includes(tier)))
  const named = new Map<string, string>(tiers.map((tier) => [tier, 'gateway']))
  for (const { model, provider } of served) if (!named.has(model)) named.set(model, provider)
  for (const { model, provider } of served) named.set(`${provider}/${model}`, provider)
  return [...named].map(([id, owner]) => modelOf(id, owner))
}
