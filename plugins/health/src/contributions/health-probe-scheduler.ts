import { contribute, gatewayInfo, gatewayWide, healthProbe } from '@gateway/sdk'
import { states } from '../collections.ts'
import { CYCLE_SECONDS } from '../jobs/cycle.ts'
import { STATE } from '../operations/cycle.ts'
import { schedulerFinding } from '../rules/scheduler.ts'

/** State of the scheduler, on whichever node: this family's own job is one of its jobs. */
export const schedulerProbe = contribute(healthProbe, {
  uses: { states: gatewayWide(states), gateway: gatewayInfo },
  create: ({ states, gateway }, ctx) => ({
    name: 'scheduler',
    async check() {
      const scheduledAt = (await states.get(STATE))?.scheduledAt
      return schedulerFinding(ctx.now(), { startedAt: gateway.startedAt, scheduledAt }, CYCLE_SECONDS)
    },
  }),
})
