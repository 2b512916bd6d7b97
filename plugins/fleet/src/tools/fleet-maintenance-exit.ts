import { taskGates } from '@gateway/plugin-tasks/api'
import { closed, defineTool, optional, Type } from '@gateway/sdk'
import { currentMaintenance, exitMaintenance, maintenanceUses } from '../operations/maintenance.ts'
import { Maintenance } from '../schema.ts'

export const fleetMaintenanceExit = defineTool({
  name: 'fleet_maintenance_exit',
  description:
    'End the maintenance you may enter, so that tasks are claimed again. Returns {resumed, maintenance}: whether there was any, and the state now, as the fleet’s continues when a tenant ends its own.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/fleet/maintenance/exit',
  input: Type.Object({}, closed),
  output: Type.Object({ resumed: Type.Boolean(), maintenance: Maintenance }, closed),
  uses: { ...maintenanceUses, gates: optional(taskGates) },
  async handle(_args, refs, ctx) {
    const resumed = await exitMaintenance(refs, ctx)
    if (resumed) refs.gates?.changed()
    if (resumed) ctx.audit('fleet.maintenance', { action: 'exit' })
    return { resumed, maintenance: await currentMaintenance(refs) }
  },
})
