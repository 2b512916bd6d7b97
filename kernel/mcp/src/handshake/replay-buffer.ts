const MAX_EVENTS = 500
const MAX_SIZE = 1_048_576
const MAX_SIZE_OF_ALL = 67_108_864

export interface SentEvent {
  readonly number: number
  readonly message: string | Buffer
  writtenAt: number | undefined
}
interface KeptStream {
  /** Oldest first. */
  readonly kept: SentEvent[]
  isSettled(event: SentEvent, before: number): boolean
}

/** Limit of what the sessions of a gateway may keep together, in characters and bytes. */
export class ReplayBudget {
  #used = 0

  get used(): number {
    return this.#used
  }

  take(size: number): boolean {
    if (this.#used + size > MAX_SIZE_OF_ALL) return false
    this.#used += size
    return true
  }

  give(size: number): void {
    this.#used -= size
  }
}

/** Messages kept for a client that lost a stream and resumes it: bounded, and dropped with the session. */
export class ReplayBuffer {
  readonly #budget: ReplayBudget
  /** Streams with kept messages, oldest first. */
  readonly #streams = new Set<KeptStream>()
  #events = 0
  #size = 0
  #closed = false

  constructor(budget: ReplayBudget) {
    this.#budget = budget
  }

  /** False for a message that is too large or finds no room. */
  keep(stream: KeptStream, event: SentEvent): boolean {
    const { length } = event.message
    if (this.#closed || length > MAX_SIZE) return false
    // A stream drops its own oldest message first: a chatty call must not evict the answer that another one waits for.
    while (this.#events >= MAX_EVENTS || this.#size + length > MAX_SIZE) this.#dropOldest(stream.kept.length > 0 ? stream : this.#first())
    if (!this.#budget.take(length)) return false
    stream.kept.push(event)
    this.#streams.add(stream)
    this.#events++
    this.#size += length
    return true
  }

  /** Drops messages delivered before this time. */
  dropSettled(before: number): void {
    for (const stream of this.#streams) {
      while (stream.kept[0] !== undefined && stream.isSettled(stream.kept[0], before)) this.#dropOldest(stream)
    }
  }

  drop(stream: KeptStream): void {
    while (stream.kept.length > 0) this.#dropOldest(stream)
  }

  close(): void {
    this.#closed = true
    for (const stream of this.#streams) this.drop(stream)
  }

  #first(): KeptStream {
    return this.#streams.values().next().value as KeptStream
  }

  #dropOldest(stream: KeptStream): void {
    const length = stream.kept.shift()?.message.length ?? 0
    if (stream.kept.length === 0) this.#streams.delete(stream)
    this.#events--
    this.#size -= length
    this.#budget.give(length)
  }
}
