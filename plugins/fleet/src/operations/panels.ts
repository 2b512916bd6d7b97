import { type Stuck, type TaskFigures, taskFigures } from '@gateway/plugin-tasks/api'
import { type CallContext, isToolError, optional, type Resolved } from '@gateway/sdk'
import { type FleetPanel, fleetPanel, type RepoConcern } from '../api.ts'

export const panelUses = { panels: fleetPanel, tasks: optional(taskFigures) }

/** The parts that the overview has a place for, each with the plugin that reports it. */
const EXPECTED = { queue: 'tasks', schedules: 'schedules', repos: 'repos', spendToday: 'budgets' } as const

interface Missing {
  readonly part: string
  readonly why: string
}
export interface Collected {
  readonly figures: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly concerns: readonly RepoConcern[]
  readonly missing: readonly Missing[]
}

/** Asks all panels in parallel. A failed one is reported as missing, with the reason, and the others are included. */
export async function collect({ panels, tasks }: Resolved<typeof panelUses>, ctx: CallContext): Promise<Collected> {
  const figures = new Map<string, Readonly<Record<string, unknown>>>()
  const concerns = new Map<string, readonly RepoConcern[]>()
  const missing: Missing[] = []
  const all = tasks ? [queuePanel(tasks), ...panels] : panels
  await Promise.all(
    all.map(async (panel) => {
      try {
        const [shown, worries] = await Promise.all([panel.figures(), panel.concerns?.()])
        figures.set(panel.name, shown)
        if (worries) concerns.set(panel.name, worries)
      } catch (error) {
        ctx.log.error('a part of the fleet’s overview could not be made', { part: panel.name, err: error })
        missing.push({ part: panel.name, why: isToolError(error) ? error.message : 'It failed; the log of the gateway says why.' })
      }
    }),
  )
  const tried = new Set(all.map(({ name }) => name))
  for (const [part, plugin] of Object.entries(EXPECTED)) {
    if (!tried.has(part)) missing.push({ part, why: `It needs the plugin ${plugin}, which is not enabled here.` })
  }
  // The ranking of repos counts their tasks already.
  if (concerns.has('repos')) concerns.delete('queue')
  return { figures, concerns: [...concerns.values()].flat(), missing: missing.sort((a, b) => (a.part < b.part ? -1 : 1)) }
}

const WEIGHTS = { dead_letter: 3, blocked: 1 } as const

function queuePanel(tasks: TaskFigures): FleetPanel {
  let asked: ReturnType<TaskFigures['stuck']> | undefined
  const askStuck = () => (asked ??= tasks.stuck())
  return {
    name: 'queue',
    async figures() {
      const [{ counts, countsStopAt }, stuck] = await Promise.all([tasks.byStatus(), askStuck()])
      return { byStatus: counts, countsStopAt, ...(stuck === undefined && { note: 'Too many tasks are stuck to count them by repo.' }) }
    },
    concerns: async () => ((await askStuck()) ?? []).map(concern),
  }
}

function concern({ repo, stage, count }: Stuck): RepoConcern {
  const tasks = count === 1 ? '1 task' : `${count} tasks`
  return { repo, weight: WEIGHTS[stage] * count, reason: `${tasks} ${stage === 'blocked' ? 'blocked' : 'in the dead letter'}` }
}
