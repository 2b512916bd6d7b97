import { closed, defineTool, gatewayWide, Type } from '@gateway/sdk'
import { states } from '../collections.ts'
import { config } from '../config.ts'
import { CYCLE_SECONDS } from '../jobs/cycle.ts'
import { STATE } from '../operations/cycle.ts'
import { reportSchema } from '../schema.ts'

export const healthAlertsStatus = defineTool({
  name: 'health_alerts_status',
  description: 'Show what the latest health check found, and whether and how health alerts are raised. Returns both.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/alerts',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      latest: Type.Union([reportSchema, Type.Null()], { description: 'null: no check yet.' }),
      alertingActive: Type.Boolean(),
      intervalSeconds: Type.Integer(),
      dedupWindowMinutes: Type.Number(),
      trackedAlerts: Type.Integer({ description: 'Parts that are unhealthy, or were within the window.' }),
    },
    closed,
  ),
  uses: { states: gatewayWide(states), config },
  async handle(_args, { states, config }) {
    const state = await states.get(STATE)
    return {
      latest: state?.report ?? null,
      alertingActive: !config.alertsDisabled,
      intervalSeconds: CYCLE_SECONDS,
      dedupWindowMinutes: config.dedupMinutes,
      trackedAlerts: Object.keys(state?.tracked ?? {}).length,
    }
  },
})
