import { defineService, provideProcess, Unavailable } from '@gateway/sdk'

/** Changes of one brain, one after another; nothing of a tenant is kept once they are done. */
export interface Lanes {
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>
  /** Those who want to commit and wait for their turn: whoever has it takes all of them along. */
  join<Item>(tenantId: string, item: Item, flush: (items: readonly Item[]) => Promise<void>): void
}
export const lanes = defineService<Lanes>('brain.lanes', 'process')

/** Of one brain; more callers than that wait longer than they would like to. */
const MAX_WAITING = 1_000
/** Commits of one batch: more make a write no cheaper for each, and the first of them wait for all. */
const MAX_BATCH = 64

interface Lane {
  last: Promise<unknown>
  waiting: number
  items: unknown[]
  flushing: boolean
}

export const lanesProvider = provideProcess(lanes, { create: createLanes })

function createLanes(): Lanes {
  const all = new Map<string, Lane>()
  return { run, join }

  function laneOf(tenantId: string): Lane {
    const lane = all.get(tenantId) ?? { last: Promise.resolve(), waiting: 0, items: [], flushing: false }
    all.set(tenantId, lane)
    if (lane.waiting + lane.items.length >= MAX_WAITING)
      throw Unavailable({ message: 'Too many changes of this brain wait already; try again shortly.', retryAfterSeconds: 1 })
    return lane
  }

  function run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return queue(tenantId, laneOf(tenantId), work)
  }

  function queue<T>(tenantId: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    lane.waiting++
    const mine = lane.last.then(work)
    lane.last = mine
      .catch(() => {})
      .finally(() => {
        lane.waiting--
        if (lane.waiting === 0 && lane.items.length === 0) all.delete(tenantId)
      })
    return mine
  }

  function join<Item>(tenantId: string, item: Item, flush: (items: readonly Item[]) => Promise<void>): void {
    const lane = laneOf(tenantId)
    lane.items.push(item)
    if (!lane.flushing) takeTurn(tenantId, lane, flush as (items: readonly unknown[]) => Promise<void>)
  }

  function takeTurn(tenantId: string, lane: Lane, flush: (items: readonly unknown[]) => Promise<void>): void {
    lane.flushing = true
    const turn = queue(tenantId, lane, async () => {
      const items = lane.items.splice(0, MAX_BATCH)
      if (lane.items.length > 0) takeTurn(tenantId, lane, flush)
      else lane.flushing = false
      await flush(items)
    })
    // Each of those who joined hears of a failure by its own.
    turn.catch(() => {})
  }
}
