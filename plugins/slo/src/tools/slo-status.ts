import { closed, defineTool, Type } from '@gateway/sdk'
import { config } from '../config.ts'
import { breachSchema } from '../schema.ts'
import { meters } from '../services/meters.ts'

const { slowCallMs: _ofPerfStats, alertsDisabled: _asEnabled, ...settings } = config.schema.properties

export const sloStatus = defineTool({
  name: 'slo_status',
  description: 'Show the service level objectives and which routes break them now. Returns both; the figures are of all tenants together.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      config: Type.Object({ ...settings, alertsEnabled: Type.Boolean() }, closed),
      breaching: Type.Array(breachSchema),
    },
    closed,
  ),
  uses: { meters, config },
  async handle(_args, { meters, config }, ctx) {
    const { slowCallMs: _slow, alertsDisabled, ...settings } = config
    return { config: { ...settings, alertsEnabled: !alertsDisabled }, breaching: meters.breaches(ctx.now().getTime()) }
  },
})
