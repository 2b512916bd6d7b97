import { models, TIERS } from '@gateway/plugin-providers/api'
import { closed, defineRoute, Type } from '@gateway/sdk'

const Model = Type.Object(
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

export const modelsRoute = defineRoute({
  name: 'model-endpoint.models',
  description: 'List the accepted values of `model`: tiers, models, and models of one provider. Has the members of both formats.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /v1/models',
  input: Type.Object(
    { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of models.' })) },
    closed,
  ),
  output: Type.Object(
    {
      object: Type.String(),
      data: Type.Array(Model),
      has_more: Type.Boolean(),
      first_id: Type.Union([Type.String(), Type.Null()]),
      last_id: Type.Union([Type.String(), Type.Null()]),
    },
    closed,
  ),
  uses: { models },
  async handle({ limit = 1_000 }, { models }) {
    const served = models.list()
    const tiers = served.length === 0 ? [] : TIERS.filter((tier) => served.some(({ tiers }) => tiers.includes(tier)))
    const named = new Map<string, string>(tiers.map((tier) => [tier, 'gateway']))
    for (const { model, provider } of served) if (!named.has(model)) named.set(model, provider)
    for (const { model, provider } of served) named.set(`${provider}/${model}`, provider)
    const all = [...named].map(([id, owner]) => modelOf(id, owner))
    const data = all.slice(0, limit)
    return { object: 'list', data, has_more: all.length > limit, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  },
})
