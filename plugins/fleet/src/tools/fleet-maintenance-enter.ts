import { taskGates } from '@gateway/plugin-tasks/api'
import { callerName, closed, defineTool, optional, principalName, Type } from '@gateway/sdk'
import { enterMaintenance, maintenanceUses } from '../operations/maintenance.ts'
import { checkResumption, resumption } from '../rules/resume.ts'
import { Maintenance } from '../schema.ts'

const MONTH_MINUTES = 31 * 24 * 60

export const fleetMaintenanceEnter = defineTool({
  name: 'fleet_maintenance_enter',
  description:
    'Pause the fleet: stop all runners from claiming work until fleet_maintenance_exit or a time: in every tenant for the operator, in its own for a tenant. Entered again, it is rescheduled. Returns {maintenance}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/fleet/maintenance',
  input: Type.Object(
    {
      reason: Type.Optional(Type.String({ maxLength: 500, description: 'Shown to claimers.' })),
      operator: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Person or agent responsible. Default: you.' })),
      resumeAt: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601 with a zone: claims resume then.' })),
      resumeInMinutes: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: MONTH_MINUTES,
          description: 'Minutes from now, instead of resumeAt. With neither, until fleet_maintenance_exit.',
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ maintenance: Maintenance }, closed),
  uses: { ...maintenanceUses, gates: optional(taskGates) },
  check: checkResumption,
  async handle({ reason, operator, ...times }, refs, ctx) {
    const who = { operator: operator ?? callerName(ctx.principal), operatorPrincipal: principalName(ctx.principal) }
    const terms = { reason, ...who, ...resumption(times, ctx.now()) }
    const maintenance = await enterMaintenance(refs, terms, ctx)
    refs.gates?.changed()
    ctx.audit('fleet.maintenance', { action: 'enter', ...maintenance })
    return { maintenance }
  },
})
