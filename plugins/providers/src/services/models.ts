import { provide } from '@gateway/sdk'
import { models } from '../api.ts'
import { complete, completeUses, notConfigured } from '../operations/complete.ts'
import { countPrompt } from '../operations/count-prompt.ts'
import { decide, routingOf } from '../operations/route.ts'
import { payerOf } from '../operations/spending.ts'
import { stateOf } from '../operations/state.ts'
import { candidatesOf } from '../rules/candidates.ts'

export const modelsProvider = provide(models, {
  uses: completeUses,
  create: (refs, ctx) => ({
    configured: refs.pool.configured,
    serves: (model) => candidatesOf(model, refs.pool.chain('interactive')).length > 0,
    list: () => refs.pool.served(),
    async route(query) {
      const decision = await decide(refs, query, payerOf(query, ctx), ctx)
      const { candidate, passed } = refs.pool.look(decision.candidates, ctx.now().getTime())
      if (!candidate) throw notConfigured(refs.pool)
      return routingOf(decision, candidate, passed)
    },
    async takes(query) {
      const { candidates } = await decide(refs, query, payerOf(query, ctx), ctx)
      return refs.pool.takes(candidates, ctx.now().getTime())
    },
    complete: (request) => complete(refs, request, ctx),
    countPrompt: (request) => countPrompt(refs, request, ctx),
    async states() {
      await refs.shared.refresh(refs.wide, ctx)
      return [...refs.pool.gates.values()].map((gate) => stateOf(gate, refs.pool, ctx.now().getTime()))
    },
  }),
})
