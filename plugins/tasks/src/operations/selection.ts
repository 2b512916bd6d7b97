import type { Collection, Filter } from '@gateway/sdk'
import { laneOf, localName, parseLane } from '../rules/queue.ts'
import type { Task } from '../schema.ts'

/** What a claimer is willing to take. */
export interface Wanted {
  readonly repo?: string | undefined
  readonly ignoreRepos?: readonly string[] | undefined
  readonly localModels?: readonly string[] | undefined
}

/** P0 first, then oldest; the store adds the id. */
export const byRank = { priority: 1, createdAt: 1 } as const

const ready = { queue: 'ready' } as const

/**
 * The filter of ready tasks that a claimer wants, or `undefined` when there are none. It names the lanes to take from
 * and never those to leave out: the store then looks at the head of each lane and passes no unwanted task, however many.
 */
export async function selection(tasks: Collection<Task>, wanted: Wanted): Promise<Filter<Task> | undefined> {
  const { repo, ignoreRepos = [], localModels } = wanted
  if (repo === undefined && ignoreRepos.length === 0 && localModels === undefined) return ready
  const lanes = repo === undefined ? (await tasks.distinct('lane', ready)).filter(accepts(wanted)) : await lanesOf(tasks, repo, wanted)
  if (lanes.length === 0) return undefined
  return { ...ready, lane: lanes.length === 1 && lanes[0] !== undefined ? lanes[0] : { in: lanes } }
}

/** Whether a lane is among those wanted. */
export function accepts({ repo, ignoreRepos, localModels }: Wanted): (lane: string) => boolean {
  const ignored = new Set(ignoreRepos)
  const models = localModels && new Set(localModels.map(localName))
  return (lane) => {
    const { repo: of, pin } = parseLane(lane)
    if (repo !== undefined && of !== repo) return false
    return !ignored.has(of) && (pin === undefined || models === undefined || models.has(pin))
  }
}

async function lanesOf(tasks: Collection<Task>, repo: string, { ignoreRepos = [], localModels }: Wanted): Promise<string[]> {
  if (ignoreRepos.includes(repo)) return []
  const pins = localModels?.map(localName) ?? (await tasks.distinct('localPin', { ...ready, localPin: { exists: true } }))
  return [laneOf(repo, undefined), ...new Set(pins.map((pin) => laneOf(repo, pin)))]
}
