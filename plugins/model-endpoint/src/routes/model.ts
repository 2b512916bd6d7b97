import { models } from '@gateway/plugin-providers/api'
import { closed, defineRoute, Type } from '@gateway/sdk'
import { ModelNotFound } from '../errors.ts'
import { listedModels, Model } from '../rules/listed-models.ts'

export const modelRoute = defineRoute({
  name: 'model-endpoint.model',
  description: 'Show one accepted value of `model`; a slash in it is written %2F. Returns it with the members of both formats.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /v1/models/:model',
  input: Type.Object({ model: Type.String({ minLength: 1, maxLength: 400 }) }, closed),
  output: Model,
  errors: [ModelNotFound],
  uses: { models },
  async handle({ model }, { models }) {
    const found = listedModels(models.list()).find(({ id }) => id === model)
    if (!found) throw ModelNotFound({ model })
    return found
  },
})
