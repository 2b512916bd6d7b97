import { closed, defineTool, Type } from '@gateway/sdk'
import { routeTraceSource } from '../api.ts'
import { RATE_DAYS, readiness, TRAINING_FLOOR } from '../rules/readiness.ts'

export const brainRouterTrainReadiness = defineTool({
  name: 'brain_router_train_readiness',
  description:
    'Check whether enough labeled traces of routing decisions exist to train a router: routed tasks that ended, of the 500 it takes, how fast they come, and when there will be enough. Returns {available, labeled, floor, ready, missing, perDay, etaDays?}; it never trains.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      available: Type.Boolean({ description: 'false while none was recorded.' }),
      labeled: Type.Integer(),
      floor: Type.Integer(),
      ready: Type.Boolean(),
      missing: Type.Integer(),
      perDay: Type.Number({ description: 'Average of the last seven days.' }),
      etaDays: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  uses: { sources: routeTraceSource },
  async handle(_, { sources }, ctx) {
    const since = new Date(ctx.now().getTime() - RATE_DAYS * 86_400_000).toISOString()
    const counts = await Promise.all(sources.map(async (source) => [await source.labeled(), await source.labeled(since)] as const))
    const labeled = counts.reduce((sum, [all]) => sum + all, 0)
    const lately = counts.reduce((sum, [, late]) => sum + late, 0)
    return { available: labeled > 0, labeled, floor: TRAINING_FLOOR, ...readiness(labeled, lately) }
  },
})
