import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'

/** A reached cap stops every model call until its period restarts or it is raised; a cap that is nearly reached makes them cheaper. */
export const budgetStops = contribute(attentionSource, {
  uses: statusUses,
  create: (refs, ctx): AttentionSource => ({
    kind: 'budget-stop',
    capability: 'configure',
    alertAfterSeconds: 0,
    async look() {
      const { state, reason, monthToDateUsd, todayUsd } = await status(refs, ctx)
      if (state === 'ok') return { count: 0, items: [] }
      return {
        count: 1,
        items: [
          {
            id: 'budget',
            title: state === 'exceeded' ? 'The budget of models is used up' : 'The budget of models is nearly used up',
            text: reason ?? `${todayUsd} USD today, ${monthToDateUsd} USD this month.`,
            tone: state === 'exceeded' ? 'bad' : 'warn',
            at: ctx.now().toISOString(),
            link: { to: '/budgets' },
          },
        ],
      }
    },
  }),
})
