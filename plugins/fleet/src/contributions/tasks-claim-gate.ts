import { type ClaimGate, claimGate } from '@gateway/plugin-tasks/api'
import { contribute, defined } from '@gateway/sdk'
import { currentMaintenance, maintenanceUses } from '../operations/maintenance.ts'

/** On the path of every claim: two reads by id in parallel. */
export const maintenanceGate = contribute(claimGate, {
  uses: maintenanceUses,
  create: (refs): ClaimGate => ({
    async check() {
      const { active, scope, reason, resumeAt } = await currentMaintenance(refs)
      if (!active) return { open: true }
      const whose = scope === 'fleet' ? 'The fleet' : 'This tenant'
      const why = reason === undefined ? '' : `: ${reason}`
      return { open: false, reason: `${whose} is in maintenance${why}`, ...defined({ until: resumeAt }) }
    },
  }),
})
