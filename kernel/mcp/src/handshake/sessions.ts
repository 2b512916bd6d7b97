import type { Clock } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import { ReplayBudget } from './replay-buffer.ts'
import { type Agreed, type ResumedSession, Session } from './session.ts'
import { Subscriptions } from './subscriptions.ts'

const MAX_SESSIONS = 10_000
const IDLE_MS = 3_600_000

/**
 * The sessions in this process's memory, with a fixed capacity: a session unused for an hour by a disconnected client is
 * dropped, and so is one when the table is full. Its calls are stopped; its record stays, and its client may return. The map is
 * kept in the order of last use, so that both rules begin at its head.
 */
export class Sessions {
  readonly subscriptions = new Subscriptions()
  readonly budget = new ReplayBudget()
  readonly #table = new Map<string, Session>()
  /** Number of sessions per caller. */
  readonly #counts = new Map<string, number>()
  readonly #clock: Clock
  readonly #ended: (session: Session) => void

  /** `ended` is called for each dropped session, whatever the reason. */
  constructor(clock: Clock, ended: (session: Session) => void = () => {}) {
    this.#clock = clock
    this.#ended = ended
  }

  get size(): number {
    return this.#table.size
  }

  all(): Iterable<Session> {
    return this.#table.values()
  }

  get(id: string): Session | undefined {
    return this.#table.get(id)
  }

  open(principal: Principal, agreed: Agreed, resumed?: ResumedSession): Session {
    this.#endIdle()
    if (this.#table.size >= MAX_SESSIONS) this.#makeRoom()
    const session = new Session(principal, agreed, this.#clock, this.budget, resumed)
    this.#table.set(session.id, session)
    this.#count(session, 1)
    return session
  }

  find(id: string, principal: Principal): Session | undefined {
    this.#endIdle()
    const session = this.#table.get(id)
    if (session === undefined || session.owner.tenantId !== principal.tenantId || session.owner.id !== principal.id) return undefined
    this.touch(session)
    return session
  }

  touch(session: Session): void {
    if (!this.#table.delete(session.id)) return
    session.lastUsed = this.#clock.now()
    this.#table.set(session.id, session)
  }

  end(session: Session): void {
    if (!this.#table.delete(session.id)) return
    this.#count(session, -1)
    this.subscriptions.removeAll(session)
    session.end(new Error('the session was ended'))
    this.#ended(session)
  }

  endTenant(tenantId: string): void {
    for (const session of this.#table.values()) if (session.owner.tenantId === tenantId) this.end(session)
  }

  /** Drops expired sessions. */
  tick(): void {
    this.#endIdle()
    for (const session of this.#table.values()) session.tick()
  }

  #endIdle(): void {
    const since = this.#clock.now() - IDLE_MS
    for (const session of this.#table.values()) {
      if (session.lastUsed > since) return
      if (session.isConnected) this.touch(session)
      else this.end(session)
    }
  }

  /** The caller with most sessions loses its least recently used one, so that nobody can evict everyone else's. */
  #makeRoom(): void {
    let [busiest, most] = ['', 0]
    for (const [owner, count] of this.#counts) if (count > most) [busiest, most] = [owner, count]
    for (const session of this.#table.values()) if (ownerOf(session) === busiest) return this.end(session)
  }

  #count(session: Session, by: 1 | -1): void {
    const owner = ownerOf(session)
    const count = (this.#counts.get(owner) ?? 0) + by
    if (count > 0) this.#counts.set(owner, count)
    else this.#counts.delete(owner)
  }
}

const ownerOf = ({ owner }: Session): string => `${owner.tenantId} ${owner.id}`
