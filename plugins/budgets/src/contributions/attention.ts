import { type AttentionItem, type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'
import { nearCaps } from '../rules/near-caps.ts'

/**
 * A reached cap stops the model calls that it applies to until its period restarts or it is raised; a cap that is nearly reached
 * makes them cheaper. The caps of all spending are one item, and each other cap is one by its name.
 */
export const budgetStops = contribute(attentionSource, {
  uses: statusUses,
  create: (refs, ctx): AttentionSource => ({
    kind: 'budget-stop',
    capability: 'configure',
    alertAfterSeconds: 0,
    async look(limit) {
      const seen = await status(refs, ctx)
      const { state, reason, monthToDateUsd, todayUsd } = seen
      const rest = { at: ctx.now().toISOString(), link: { to: '/budgets' } } as const
      const items: AttentionItem[] = nearCaps(seen).map(({ cap, capUsd, spentUsd, state, resetsAt }) => ({
        id: cap,
        title: state === 'exceeded' ? `The cap ${cap} is reached` : `The cap ${cap} is nearly reached`,
        text: `${spentUsd} of ${capUsd} USD are spent. The next period begins at ${resetsAt}.`,
        tone: toneOf(state),
        ...rest,
      }))
      if (state !== 'ok') {
        const title = state === 'exceeded' ? 'The budget of models is used up' : 'The budget of models is nearly used up'
        const text = reason ?? `${todayUsd} USD today, ${monthToDateUsd} USD this month.`
        items.unshift({ id: 'budget', title, text, tone: toneOf(state), ...rest })
      }
      return { count: items.length, items: items.slice(0, limit) }
    },
  }),
})

const toneOf = (state: 'downgrade' | 'exceeded') => (state === 'exceeded' ? 'bad' : 'warn')
