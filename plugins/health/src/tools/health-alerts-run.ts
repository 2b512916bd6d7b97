import { closed, defineTool, Type } from '@gateway/sdk'
import { cycle } from '../jobs/cycle.ts'
import type { Cycle } from '../operations/cycle.ts'
import { reportSchema, toldSchema } from '../schema.ts'

export const healthAlertsRun = defineTool({
  name: 'health_alerts_run',
  description:
    'Check the health of every part of the gateway now, and alert the operator of parts that became degraded, unhealthy, or healthy again. Returns the result.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/alerts/run',
  input: Type.Object({}, closed),
  output: Type.Object({ health: reportSchema, alerts: Type.Array(toldSchema, { description: 'Alerts raised by this check.' }) }, closed),
  uses: { cycle },
  async handle(_args, { cycle }) {
    const [run] = await cycle.run()
    const { report, alerts } = (run as { result: Cycle }).result
    return { health: report, alerts }
  },
})
