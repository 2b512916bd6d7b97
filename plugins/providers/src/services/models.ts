import { provide } from '@gateway/sdk'
import { models } from '../api.ts'
import { complete, completeUses, notConfigured } from '../operations/complete.ts'
import { decide, routingOf } from '../operations/route.ts'
import { payerOf } from '../operations/spending.ts'
import { stateOf } from '../operations/state.ts'
import { candidatesOf } from '../rules/candidates.ts'

export const modelsProvider = provide(models, {
  uses: completeUses,
  create: (refs, ctx) => ({
    configured: refs.host.configured,
    serves: (model) => candidatesOf(model, refs.host.chain('interactive')).length > 0,
    list: () => refs.host.served(),
    async route(query) {
      const decision = await decide(refs, query, payerOf(query, ctx), ctx)
      const { candidate, passed } = refs.host.look(decision.candidates, ctx.now().getTime())
      if (!candidate) throw notConfigured()
      return routingOf(decision, candidate, passed)
    },
    complete: (request) => complete(refs, request, ctx),
    async states() {
      await refs.shared.refresh(refs.wide, ctx)
      return [...refs.host.lanes.values()].map((lane) => stateOf(lane, refs.host, ctx.now().getTime()))
    },
  }),
})
