import type { Clock } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import { ReplayBudget } from './replay-buffer.ts'
import { type Agreed, Session, type TakenUp } from './session.ts'
import { Subscriptions } from './subscriptions.ts'

const MAX_SESSIONS = 10_000
const IDLE_MS = 3_600_000

/**
 * The sessions in this process’s memory, a bounded table: one unused for an hour by a client that is not connected is let go,
 * and so is one when the table is full. What it runs is stopped; its record stays, and its client may come back. The map is
 * kept in the order of last use, so that both rules begin at its head.
 */
export class Sessions {
  readonly subscriptions = new Subscriptions()
  readonly budget = new ReplayBudget()
  readonly #table = new Map<string, Session>()
  /** How many each caller has. */
  readonly #counts = new Map<string, number>()
  readonly #clock: Clock
  readonly #ended: (session: Session) => void

  /** `ended` hears of each that is let go, whatever the reason. */
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

  open(principal: Principal, agreed: Agreed, takenUp?: TakenUp): Session {
    this.#endIdle()
    if (this.#table.size >= MAX_SESSIONS) this.#makeRoom()
    const session = new Session(principal, agreed, this.#clock, this.budget, takenUp)
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

  /** The session was used just now. */
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

  /** Lets go of what is out of time. */
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

  /** Who has most sessions loses the one it used longest ago: nobody can push out everybody else’s. */
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
