import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'

/** A reached cap stops every model call until its period restarts or it is raised. */
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
