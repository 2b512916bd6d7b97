import { models } from '@gateway/plugin-providers/api'
import { BadRequest, closed, defineRoute, Type } from '@gateway/sdk'
import { listedModels, Model } from '../rules/listed-models.ts'

const Id = (description: string) => Type.Optional(Type.String({ maxLength: 400, description }))

export const modelsRoute = defineRoute({
  name: 'model-endpoint.models',
  description: 'List the accepted values of `model`: tiers, models, and models of one provider. Has the members of both formats.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /v1/models',
  input: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of models.' })),
      after_id: Id('Model after which the page begins.'),
      before_id: Id('Model before which the page ends.'),
    },
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
  async handle({ limit = 1_000, after_id: after, before_id: before }, { models }) {
    const all = listedModels(models.list())
    const at = (field: string, id: string): number => {
      const found = all.findIndex((model) => model.id === id)
      if (found < 0) throw BadRequest({ field, message: `\`${field}\` must be a model of the list.` })
      return found
    }
    const end = before === undefined ? all.length : at('before_id', before)
    const from = after === undefined ? 0 : at('after_id', after) + 1
    const asked = all.slice(from, end)
    // Clients that go backwards get the models next to the one they name.
    const isBackwards = before !== undefined && after === undefined
    const data = isBackwards ? asked.slice(-limit) : asked.slice(0, limit)
    return {
      object: 'list',
      data,
      has_more: asked.length > data.length,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    }
  },
})
