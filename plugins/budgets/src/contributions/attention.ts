import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'

/** A cap that is reached stops every call of a model until it begins anew, or is raised. */
export const budgetStops = contribute(attentionSource, {
  uses: statusUses,
  create: (refs, ctx): AttentionSource => ({
    kind: 'budget-stop',
    capability: 'configure',
    async look() {
      const { state, reason, monthToDateUsd, todayUsd } = await status(refs, ctx)
      if (state !== 'exceeded') return { count: 0, items: [] }
      return {
        count: 1,
        items: [
          {
            id: 'budget',
            title: 'The budget of models is used up',
            text: reason ?? `${todayUsd} USD today, ${monthToDateUsd} USD this month.`,
            tone: 'bad',
            at: ctx.now().toISOString(),
            link: { to: '/budgets' },
          },
        ],
      }
    },
  }),
})
