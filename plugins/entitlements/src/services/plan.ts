import { provide } from '@gateway/sdk'
import { entitlements } from '../api.ts'
import { askUses, boundOf, consume, count, giveBack, requireFeature, requireRoom } from '../operations/ask.ts'
import { planOf } from '../operations/plan.ts'
import { snapshot } from '../operations/snapshot.ts'

export const planProvider = provide(entitlements, {
  uses: askUses,
  create: (refs, ctx) => ({
    snapshot: () => snapshot(refs, ctx),
    has: async (feature) => (await planOf(refs, ctx)).terms.features[feature],
    require: (feature) => requireFeature(refs, feature, ctx),
    requireRoom: (limit, more = 1) => requireRoom(refs, limit, more, ctx),
    bound: (limit) => boundOf(refs, limit, ctx),
    consume: (limit, amount) => consume(refs, limit, amount, ctx),
    count: (limit, amount) => count(refs, limit, amount),
    giveBack: (limit, amount) => giveBack(refs, limit, amount),
  }),
})
