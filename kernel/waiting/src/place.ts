import type { Due } from '@gateway/sdk'
import { mapConcurrently, type Pace } from '@gateway/sdk/bounds'
import type { Outcome, Waiter } from './waiter.ts'

const GROUPS_LOOKING_AT_ONCE = 8
const MIN_DUE_QUESTION_INTERVAL_MS = 1_000

/** The calls of one tenant that wait for one event, in order of arrival. */
export class Place {
  readonly waiters = new Set<Waiter>()
  readonly #tenantId: string
  readonly #pace: Pace
  readonly #now: () => number
  readonly #failed: (error: unknown) => void
  /** Next time to ask for due items, and to make every call look again. */
  #askAt = Number.POSITIVE_INFINITY
  #lookAt = Number.POSITIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(tenantId: string, pace: Pace, now: () => number, failed: (error: unknown) => void) {
    this.#tenantId = tenantId
    this.#pace = pace
    this.#now = now
    this.#failed = failed
  }

  /** Wakes the calls that the event concerns: of those that take what they find, one after the other. */
  onEvent(payload: unknown): void {
    const [first] = this.waiters
    const at = first?.wait.dueAt?.(payload)
    if (at !== undefined) this.#remind({ at })
    const readers = new Map<string, Waiter[]>()
    let takers = false
    for (const waiter of this.waiters) {
      if (waiter.wait.took !== undefined && takers) continue
      if (!waiter.wait.concerns(payload)) continue
      if (waiter.wait.took !== undefined) takers = true
      else add(readers, waiter)
    }
    if (takers) void this.#offer(payload)
    for (const group of readers.values()) void this.#show(group)
  }

  /** Makes every call look, each group of calls that want the same by its first. */
  async lookAgain(): Promise<void> {
    const groups = new Map<string, Waiter[]>()
    for (const waiter of this.waiters) add(groups, waiter)
    await mapConcurrently([...groups.values()], GROUPS_LOOKING_AT_ONCE, (group) =>
      group[0]?.wait.took === undefined ? this.#show(group) : this.#handOut(group),
    )
    this.askDue()
  }

  /** Asks for due items, or shortly if that was just asked. */
  askDue(): void {
    const [first] = this.waiters
    if (first?.wait.whenDue === undefined) return
    const now = this.#now()
    if (now < this.#askedAt) this.#askedAt = now
    if (now - this.#askedAt < MIN_DUE_QUESTION_INTERVAL_MS) this.#remind({ at: this.#askedAt + MIN_DUE_QUESTION_INTERVAL_MS })
    else void this.#ask()
  }

  tick(elapsedMs: number): void {
    for (const waiter of this.waiters) {
      waiter.tick(elapsedMs)
      // Its client was away when something came.
      if (waiter.isIdle && waiter.missed && waiter.call.isConnected) void this.#look(waiter)
    }
    const now = this.#now()
    if (now < Math.min(this.#askAt, this.#lookAt)) return
    const looks = now >= this.#lookAt
    if (looks) this.#lookAt = Number.POSITIVE_INFINITY
    void this.#ask().then(() => (looks ? this.lookAgain() : undefined))
  }

  async #ask(): Promise<void> {
    this.#askedAt = this.#now()
    this.#askAt = Number.POSITIVE_INFINITY
    // The calls that wait for an event all know its times, or none does.
    const [first] = this.waiters
    if (first?.wait.whenDue === undefined) return
    try {
      const due = await first.wait.whenDue()
      // A time that is over here and not yet at the store comes when their clocks agree.
      if (due !== undefined)
        this.#remind(due.lookAgain || due.at > this.#now() ? due : { ...due, at: this.#askedAt + MIN_DUE_QUESTION_INTERVAL_MS })
    } catch (error) {
      this.#failed(error)
      this.#remind({ at: this.#askedAt + MIN_DUE_QUESTION_INTERVAL_MS })
    }
  }

  #remind({ at, lookAgain = false }: Due): void {
    if (lookAgain) this.#lookAt = Math.min(this.#lookAt, at)
    else this.#askAt = Math.min(this.#askAt, at)
  }

  /** A call that finds nothing proves that somebody else took the thing. */
  async #offer(payload: unknown): Promise<void> {
    for (;;) {
      const waiter = this.#firstIdle(payload)
      if (waiter === undefined) return
      const outcome = await this.#look(waiter)
      if (outcome === 'empty') return
      if (outcome === 'answered' && waiter.wait.took?.(payload, waiter.result)) return
    }
  }

  /** If all calls concerned are just looking, or their clients are away, they look once more. */
  #firstIdle(payload: unknown): Waiter | undefined {
    const others: Waiter[] = []
    for (const waiter of this.waiters) {
      if (waiter.wait.took === undefined || !waiter.wait.concerns(payload)) continue
      if (waiter.isIdle && waiter.call.isConnected) return waiter
      others.push(waiter)
    }
    for (const waiter of others) waiter.missed = true
    return undefined
  }

  async #handOut(group: readonly Waiter[]): Promise<void> {
    for (const waiter of group) {
      if (!waiter.isIdle || !waiter.call.isConnected) waiter.missed = true
      else if ((await this.#look(waiter)) === 'empty') return
    }
  }

  /** A single call of the group looks, and all are answered. */
  async #show(group: readonly Waiter[]): Promise<void> {
    for (const waiter of group) if (!waiter.isIdle) waiter.missed = true
    for (const waiter of group) {
      if (!waiter.isIdle) continue
      const outcome = await this.#look(waiter)
      if (outcome === 'gone') continue
      if (outcome === 'answered') for (const other of group) if (other.isIdle) void other.share(waiter.result)
      return
    }
  }

  async #look(waiter: Waiter): Promise<Outcome> {
    const outcome = await this.#pace.begin(this.#tenantId, async () => (waiter.isIdle ? waiter.look() : 'gone'))
    if (outcome === 'empty') this.askDue()
    return outcome
  }
}

function add(groups: Map<string, Waiter[]>, waiter: Waiter): void {
  const name = `${waiter.wait.took === undefined} ${waiter.wait.wants}`
  const group = groups.get(name)
  if (group) group.push(waiter)
  else groups.set(name, [waiter])
}
