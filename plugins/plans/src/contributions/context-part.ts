import { bootPart } from '@gateway/plugin-context/api'
import { contribute } from '@gateway/sdk'
import { planDays } from '../collections.ts'

/** Number of coming days that are shown, and the time for which a fired one is still shown. */
const DAYS = 3
const FIRED_MS = 24 * 3_600_000

/** The next days of the repo's plan, for an agent that begins to work there. */
export const planAtBoot = contribute(bootPart, {
  uses: { planDays },
  create: ({ planDays }, ctx) => ({
    title: 'Plan',
    order: 10,
    place: 'next' as const,
    async render({ repo }) {
      // A key for one piece of work has no part in the days of the plan.
      if (ctx.principal.confinedTo !== undefined) return ''
      const from = new Date(ctx.now().getTime() - FIRED_MS).toISOString()
      const where = { repo, status: { in: ['enabled', 'blocked'] }, fireAt: { gte: from } } as const
      const { items } = await planDays.find({ where, sort: { repo: 1, day: 1 }, limit: DAYS })
      return items
        .map(
          ({ day, fireAt, focus, status, taskId }) =>
            `- plan, day ${day} (${fireAt}${status === 'blocked' ? ', blocked' : ''}${taskId === undefined ? '' : `, task ${taskId}`}): ${focus || 'no focus'}`,
        )
        .join('\n')
    },
  }),
})
