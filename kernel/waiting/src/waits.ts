import type { Wait, Waiting } from '@gateway/sdk'
import { Pace } from '@gateway/sdk/bounds'
import { Place } from './place.ts'
import { Waiter, type WaitingCall } from './waiter.ts'

/** Waiting calls of a process: each is some kilobytes and, over HTTP, a connection. */
const MAX_WAITING = 10_000
/** Precision of the end of a wait. One timer serves all. */
const TICK_MS = 100
const LOOK_AGAIN = 'waits.look-again'
const EVERY_TENANT = ''

interface Note {
  readonly topic: string
  readonly tenantId: string
  readonly data?: unknown
}

export interface WaitsParts {
  now(): number
  /** Number of waiting calls that one tenant may have at present, of the given number for all. */
  shareOf(limit: number): number
  /** The error for a call that finds too many others waiting. */
  overloaded(message: string): Error
  failed(error: unknown): void
  readonly relay: {
    publish(note: Note): void
    subscribe(topic: string, subscriber: (note: Note) => void): void
    onGap(forget: () => void): void
  }
  /** Subscribes to an event of every node. */
  subscribe(eventId: string, listener: (payload: unknown, tenantId: string) => void): void
}

/**
 * Calls that wait for an event:
 *
 * 1. A call is registered before it looks for the first time, so that it misses no event.
 * 2. An event wakes the calls that it concerns (see `Place`). Nothing is read while no event occurs.
 * 3. One timer handles due times. It runs only while calls wait.
 * 4. Events that may have been missed, because messages of another node were lost, make every call look again.
 */
export class Waits {
  readonly #parts: WaitsParts
  readonly #pace = new Pace()
  readonly #places = new Map<string, Map<string, Place>>()
  readonly #tenants = new Map<string, number>()
  #size = 0
  #timer: NodeJS.Timeout | undefined
  #tickedAt = 0
  #closed = false

  constructor(parts: WaitsParts) {
    this.#parts = parts
    parts.relay.subscribe(LOOK_AGAIN, ({ tenantId, data }) => this.#lookAgain(data as string, tenantId))
    parts.relay.onGap(() => {
      for (const eventId of this.#places.keys()) this.#lookAgain(eventId, EVERY_TENANT)
    })
  }

  get size(): number {
    return this.#size
  }

  /** Must be called for each event before a call waits for it. */
  watch(eventId: string): void {
    if (this.#places.has(eventId)) return
    this.#places.set(eventId, new Map())
    this.#parts.subscribe(eventId, (payload, tenantId) => this.#places.get(eventId)?.get(tenantId)?.onEvent(payload))
  }

  /** The way to wait for an event, for one call. `everywhere`: its caller reaches all tenants. */
  of(eventId: string, call: WaitingCall, everywhere: boolean): Waiting<unknown> {
    return {
      until: (wait) => this.#until(eventId, call, wait),
      lookAgain: () => {
        const tenantId = everywhere ? EVERY_TENANT : call.tenantId
        this.#lookAgain(eventId, tenantId)
        this.#parts.relay.publish({ topic: LOOK_AGAIN, tenantId, data: eventId })
      },
    }
  }

  endTenant(tenantId: string, why: Error): void {
    for (const tenants of this.#places.values()) for (const waiter of tenants.get(tenantId)?.waiters ?? []) waiter.end(why)
  }

  /** Answers every waiting call, and later ones after their first look. */
  close(): void {
    this.#closed = true
    for (const place of this.#all()) for (const waiter of place.waiters) waiter.end()
  }

  async #until<Result>(eventId: string, call: WaitingCall, wait: Wait<unknown, Result>): Promise<Result> {
    if (!(wait.seconds > 0) || this.#closed) return await wait.look()
    const place = this.#enter(eventId, call.tenantId)
    const waiter = new Waiter(call, wait, () => this.#leave(eventId, call.tenantId, waiter))
    place.waiters.add(waiter)
    this.#timer ??= this.#start()
    if (call.stopSignal?.aborted) waiter.end(call.stopSignal.reason as Error)
    void waiter.begin().then((outcome) => {
      if (outcome !== 'empty') return
      if (this.#closed) waiter.end()
      else place.askDue()
    })
    return (await waiter.done) as Result
  }

  #enter(eventId: string, tenantId: string): Place {
    const ofTenant = this.#tenants.get(tenantId) ?? 0
    if (this.#size >= MAX_WAITING || ofTenant >= this.#parts.shareOf(MAX_WAITING)) {
      throw this.#parts.overloaded(`Too many calls wait: ${this.#size} in all, ${ofTenant} of this tenant. Ask without waitSeconds.`)
    }
    this.#size++
    this.#tenants.set(tenantId, ofTenant + 1)
    const tenants = this.#places.get(eventId) as Map<string, Place>
    let place = tenants.get(tenantId)
    if (place === undefined) {
      place = new Place(tenantId, this.#pace, () => this.#parts.now(), this.#parts.failed)
      tenants.set(tenantId, place)
    }
    return place
  }

  #leave(eventId: string, tenantId: string, waiter: Waiter): void {
    const tenants = this.#places.get(eventId)
    const place = tenants?.get(tenantId)
    if (!place?.waiters.delete(waiter)) return
    if (place.waiters.size === 0) tenants?.delete(tenantId)
    this.#size--
    const left = (this.#tenants.get(tenantId) ?? 0) - 1
    if (left > 0) this.#tenants.set(tenantId, left)
    else this.#tenants.delete(tenantId)
    if (this.#size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #lookAgain(eventId: string, tenantId: string): void {
    const tenants = this.#places.get(eventId)
    const places = tenantId === EVERY_TENANT ? [...(tenants?.values() ?? [])] : [tenants?.get(tenantId)]
    for (const place of places) void place?.lookAgain()
  }

  #start(): NodeJS.Timeout {
    this.#tickedAt = this.#parts.now()
    return setInterval(() => this.#tick(), TICK_MS)
  }

  /** A clock that is set back prolongs no wait. */
  #tick(): void {
    const now = this.#parts.now()
    const elapsedMs = Math.max(0, now - this.#tickedAt)
    this.#tickedAt = now
    for (const place of this.#all()) place.tick(elapsedMs)
  }

  *#all(): Generator<Place> {
    for (const tenants of this.#places.values()) yield* tenants.values()
  }
}
