import type { Collection } from '@gateway/sdk'
import { type ReservedAgents, reservedAgents } from '../api.ts'
import type { Task } from '../schema.ts'
import { isFor, type Wanted } from './selection.ts'

export const reservedUses = { reserved: reservedAgents }
type Reserved = readonly ReservedAgents[]

const MAX_COUNT = 10_000

/** Leaves out the tasks that the gateway does itself, except those of the agents that a runner `serves`. */
export async function exceptReserved(reserved: Reserved, serves: readonly string[] = []): Promise<Wanted> {
  const names = (await Promise.all(reserved.map((one) => one.names()))).flat()
  const exceptAgents = names.filter((name) => !serves.includes(name))
  return { exceptAgents, exceptModels: (model) => reserved.some((one) => one.serves(model)) }
}

/** Number of claimable tasks that are not reserved. The queue is counted by its audiences, which are few. */
export async function countReady(tasks: Collection<Task>, reserved: Reserved = []): Promise<number> {
  const wanted = await exceptReserved(reserved)
  const ready = { stage: 'ready' } as const
  if (wanted.exceptAgents?.length === 0) return tasks.count(ready, { max: MAX_COUNT })
  const audiences = await tasks.distinct('readyFor')
  const open = audiences.filter((readyFor) => readyFor !== undefined && isFor(wanted, readyFor)) as string[]
  return open.length === 0 ? 0 : tasks.count({ ...ready, readyFor: { in: open } }, { max: MAX_COUNT })
}
