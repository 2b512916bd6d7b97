import { defineService, provideProcess, Unavailable } from '@gateway/sdk'
import { Permits } from '@gateway/sdk/bounds'

/** The flush of a queue: it settles each of the items that it is given. */
export type Flush<Item> = (items: readonly Item[]) => Promise<void>
export interface Queued {
  /** Bytes of what is to be written for it. */
  readonly bytes: number
}

/** Runs changes of one brain one after another, for all callers; nothing of a tenant is kept once they are done. */
export interface Lanes {
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>
  /** Adds an item to a queue of the lane. Items that wait are flushed together, and the queues of a lane take turns. */
  join<Item extends Queued>(tenantId: string, queue: string, item: Item, flush: Flush<Item>): void
  /** Writers of other tenants that wait, by owner and by writer: they leave room in the lane for its owner. */
  readonly guests: Permits
}
export const lanes = defineService<Lanes>('brain.lanes', 'process')

/** Changes of one brain that may wait; beyond it callers wait longer than is useful. */
const MAX_WAITING = 1_000
/** Maximum number of commits per batch: more make a write no cheaper for each, and the first of them wait for all. */
const MAX_BATCH = 64
/** Bytes of one batch, which the helper holds at once; a single item may be larger. */
const MAX_BATCH_BYTES = 8 * 1_024 * 1_024

interface Queue {
  readonly items: Queued[]
  flushing: boolean
}
interface Lane {
  last: Promise<unknown>
  waiting: number
  readonly queues: Map<string, Queue>
}

export const lanesProvider = provideProcess(lanes, { create: createLanes })

function createLanes(): Lanes {
  const all = new Map<string, Lane>()
  return { run, join, guests: new Permits() }

  function laneOf(tenantId: string): Lane {
    const lane = all.get(tenantId) ?? { last: Promise.resolve(), waiting: 0, queues: new Map() }
    all.set(tenantId, lane)
    if (lane.waiting + queuedIn(lane) >= MAX_WAITING)
      throw Unavailable({ message: 'Too many changes to this brain are waiting; try again shortly.', retryAfterSeconds: 1 })
    return lane
  }

  function run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return enqueue(tenantId, laneOf(tenantId), work)
  }

  function enqueue<T>(tenantId: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    lane.waiting++
    const mine = lane.last.then(work)
    lane.last = mine
      .catch(() => {})
      .finally(() => {
        lane.waiting--
        if (lane.waiting === 0 && queuedIn(lane) === 0) all.delete(tenantId)
      })
    return mine
  }

  function join<Item extends Queued>(tenantId: string, name: string, item: Item, flush: Flush<Item>): void {
    const lane = laneOf(tenantId)
    const queue = lane.queues.get(name) ?? { items: [], flushing: false }
    lane.queues.set(name, queue)
    queue.items.push(item)
    if (!queue.flushing) takeTurn(tenantId, lane, queue, flush as unknown as Flush<Queued>)
  }

  function takeTurn(tenantId: string, lane: Lane, queue: Queue, flush: Flush<Queued>): void {
    queue.flushing = true
    const turn = enqueue(tenantId, lane, async () => {
      const items = queue.items.splice(0, batchOf(queue.items))
      if (queue.items.length > 0) takeTurn(tenantId, lane, queue, flush)
      else queue.flushing = false
      await flush(items)
    })
    // A failure rejects the promise of each item of the batch.
    turn.catch(() => {})
  }
}

const queuedIn = ({ queues }: Lane): number => [...queues.values()].reduce((sum, { items }) => sum + items.length, 0)

/** Number of the first items that go together. */
function batchOf(items: readonly Queued[]): number {
  let bytes = 0
  const full = items.slice(0, MAX_BATCH).findIndex((item, n) => {
    bytes += item.bytes
    return n > 0 && bytes > MAX_BATCH_BYTES
  })
  return full < 0 ? MAX_BATCH : full
}
