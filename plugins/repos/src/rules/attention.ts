import { DAY_MS } from '@gateway/sdk'

/** The known facts of a repo; unreadable ones are absent. */
export interface RepoFacts {
  readonly openTasks: number
  /** Number of open tasks that are blocked or dead-lettered. */
  readonly stuckTasks: number
  readonly exists?: boolean
  readonly hasFramework?: boolean
  readonly lastHandoff?: string
}
export interface Attention {
  /** The sum of the weights. */
  readonly attention: number
  /** The reasons, by descending weight. */
  readonly parts: readonly Part[]
}

/** A missing framework weighs as much as fifteen open tasks: nothing else about the repo is known until it exists. */
const WEIGHTS = { missingFolder: 40, missingFramework: 30, noHandoff: 20, openTask: 2, stuckTask: 3 } as const
/** Upper limits, so that many tasks do not hide that something is missing. */
const CAPS = { tasks: 50, staleDays: 30 } as const

/** Returns how much attention a repo needs, and why: open tasks, a stale handoff, a missing framework. */
export function attentionOf(facts: RepoFacts, now: Date, staleAfterDays: number): Attention {
  const parts = [...folderParts(facts), ...handoffParts(facts, now, staleAfterDays), ...taskParts(facts)].sort(
    (a, b) => b.weight - a.weight,
  )
  return { attention: parts.reduce((sum, { weight }) => sum + weight, 0), parts }
}

export interface Part {
  readonly weight: number
  readonly reason: string
}

function folderParts({ exists, hasFramework }: RepoFacts): Part[] {
  if (exists === false) return [{ weight: WEIGHTS.missingFolder, reason: 'its folder is missing' }]
  return hasFramework === false ? [{ weight: WEIGHTS.missingFramework, reason: 'it has no framework folder' }] : []
}

function handoffParts({ lastHandoff }: RepoFacts, now: Date, staleAfterDays: number): Part[] {
  if (lastHandoff === undefined) return [{ weight: WEIGHTS.noHandoff, reason: 'it has no handoff' }]
  const days = Math.floor((now.getTime() - Date.parse(lastHandoff)) / DAY_MS)
  return days > staleAfterDays ? [{ weight: Math.min(days, CAPS.staleDays), reason: `its handoff is ${days} days old` }] : []
}

function taskParts({ openTasks, stuckTasks }: RepoFacts): Part[] {
  const weight = Math.min(openTasks * WEIGHTS.openTask + stuckTasks * WEIGHTS.stuckTask, CAPS.tasks)
  if (weight === 0) return []
  return [
    { weight, reason: `${openTasks} open ${openTasks === 1 ? 'task' : 'tasks'}${stuckTasks > 0 ? `, ${stuckTasks} of them stuck` : ''}` },
  ]
}
