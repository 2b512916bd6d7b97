import { closed, defineTool, Type } from '@gateway/sdk'
import { currentMaintenance, maintenanceUses } from '../operations/maintenance.ts'
import { collect, panelUses } from '../operations/panels.ts'
import { rank } from '../rules/attention.ts'
import { Maintenance } from '../schema.ts'

const MAX_REPOS = 50
const TOP = 3

const Worried = Type.Object({ repo: Type.String(), weight: Type.Number(), reasons: Type.Array(Type.String()) }, closed)
const figures = (description: string) => Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], { description })

export const fleetOverview = defineTool({
  name: 'fleet_overview',
  description:
    'Show how the fleet of your tenant stands: the health of repos, the queue by status, active schedules, today’s spend, and the three repos that need attention most. Returns these figures; missing names the parts that nothing running here reports, and why.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/orchestration/overview',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      maintenance: Maintenance,
      repoHealth: Type.Object(
        {
          worried: Type.Array(Worried, { description: `Repos with concerns, most serious first; at most ${MAX_REPOS}.` }),
          worriedCount: Type.Integer(),
          figures: figures('Health of the repos; null without the plugin repos.'),
        },
        closed,
      ),
      queue: figures('Tasks by status; null without the family of tasks.'),
      schedules: figures('How many are active, and what runs next.'),
      spendToday: figures('What the family of budgets says of today.'),
      attention: Type.Array(Worried, { description: `First ${TOP} of repoHealth.worried.` }),
      more: Type.Object({}, { additionalProperties: true, description: 'Figures of other families, by name.' }),
      missing: Type.Array(Type.Object({ part: Type.String(), why: Type.String() }, closed)),
    },
    closed,
  ),
  uses: { ...panelUses, ...maintenanceUses },
  async handle(_args, refs, ctx) {
    const [maintenance, { figures, concerns, missing }] = await Promise.all([currentMaintenance(refs), collect(refs, ctx)])
    const { queue = null, schedules = null, repos = null, spendToday = null, ...more } = Object.fromEntries(figures)
    const worried = rank(concerns)
    return {
      maintenance,
      repoHealth: { worried: worried.slice(0, MAX_REPOS), worriedCount: worried.length, figures: repos },
      queue,
      schedules,
      spendToday,
      attention: worried.slice(0, TOP),
      more,
      missing: [...missing],
    }
  },
})
