import { defineService, provideProcess, Unavailable } from '@gateway/sdk'
import { Permits } from '@gateway/sdk/bounds'

/** The flush of a queue: it settles each of the items that it is given. */
export type Flush<Item> = (items: readonly Item[]) => Promise<void>
export interface Queued {
  /** Bytes of what is to be written for it. */
  readonly bytes: number
}

/** Runs changes of one brain one after another, for all callers; nothing of a tenant is kept once they are done. */
export interface Sequencer {
  run<T>(tenantId: string, work: () => Promise<T>): Promise<T>
  /** Adds an item to a queue of the sequence. Items that wait are flushed together, and the queues of a sequence take turns. */
  join<Item extends Queued>(tenantId: string, queue: string, item: Item, flush: Flush<Item>): void
  /** Writers of other tenants that wait, by owner and by writer: they leave room in the sequence for its owner. */
  readonly guests: Permits
}
export const sequencer = defineService<Sequencer>('brain.sequencer', 'process')

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
interface TenantSequence {
  last: Promise<unknown>
  waiting: number
  readonly queues: Map<string, Queue>
}

export const sequencerProvider = provideProcess(sequencer, { create: createSequencer })

function createSequencer(): Sequencer {
  const all = new Map<string, TenantSequence>()
  return { run, join, guests: new Permits() }

  function sequenceOf(tenantId: string): TenantSequence {
    const sequence = all.get(tenantId) ?? { last: Promise.resolve(), waiting: 0, queues: new Map() }
    all.set(tenantId, sequence)
    if (sequence.waiting + queuedIn(sequence) >= MAX_WAITING)
      throw Unavailable({ message: 'Too many changes to this brain are waiting; try again shortly.', retryAfterSeconds: 1 })
    return sequence
  }

  function run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    return enqueue(tenantId, sequenceOf(tenantId), work)
  }

  function enqueue<T>(tenantId: string, sequence: TenantSequence, work: () => Promise<T>): Promise<T> {
    sequence.waiting++
    const mine = sequence.last.then(work)
    sequence.last = mine
      .catch(() => {})
      .finally(() => {
        sequence.waiting--
        if (sequence.waiting === 0 && queuedIn(sequence) === 0) all.delete(tenantId)
      })
    return mine
  }

  function join<Item extends Queued>(tenantId: string, name: string, item: Item, flush: Flush<Item>): void {
    const sequence = sequenceOf(tenantId)
    const queue = sequence.queues.get(name) ?? { items: [], flushing: false }
    sequence.queues.set(name, queue)
    queue.items.push(item)
    if (!queue.flushing) takeTurn(tenantId, sequence, queue, flush as unknown as Flush<Queued>)
  }

  function takeTurn(tenantId: string, sequence: TenantSequence, queue: Queue, flush: Flush<Queued>): void {
    queue.flushing = true
    const turn = enqueue(tenantId, sequence, async () => {
      const items = queue.items.splice(0, batchOf(queue.items))
      if (queue.items.length > 0) takeTurn(tenantId, sequence, queue, flush)
      else queue.flushing = false
      await flush(items)
    })
    // A failure rejects the promise of each item of the batch.
    turn.catch(() => {})
  }
}

const queuedIn = ({ queues }: TenantSequence): number => [...queues.values()].reduce((sum, { items }) => sum + items.length, 0)

/** Number of the first items that go together. */
function batchOf(items: readonly Queued[]): number {
  let bytes = 0
  const full = items.slice(0, MAX_BATCH).findIndex((item, n) => {
    bytes += item.bytes
    return n > 0 && bytes > MAX_BATCH_BYTES
  })
  return full < 0 ? MAX_BATCH : full
}
