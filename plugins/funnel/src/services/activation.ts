import { isSynthetic, provide } from '@gateway/sdk'
import { activation } from '../api.ts'
import { journeys } from '../collections.ts'

export const JOURNEY = 'journey'

export const activationProvider = provide(activation, {
  uses: { journeys },
  create: ({ journeys }, ctx) => ({
    async record(step, tx) {
      if (isSynthetic(ctx.tenantId)) return
      const records = tx ? journeys.in(tx) : journeys
      const known = await records.get(JOURNEY)
      if (known?.[step] !== undefined) return
      const at = ctx.now().toISOString()
      // The earlier of two concurrent ones.
      await records.upsert({ journeyId: JOURNEY, [step]: at }, { min: { [step]: at } })
    },
  }),
})
