import { randomUUID } from 'node:crypto'
import type { Principal } from '@gateway/sdk'
import type { Clock } from '../clock.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import type { Id } from './jsonrpc.ts'

/** What `initialize` agreed on, and the calls that a cancellation may reach. */
export interface Session {
  readonly id: string
  readonly version: string
  /** The caller that opened it; for another one the session does not exist. */
  readonly owner: Pick<Principal, 'tenantId' | 'id'>
  readonly running: Map<Id, LazyAbort>
  lastUsed: number
}

const MAX_SESSIONS = 10_000
const IDLE_MS = 3_600_000

/**
 * A bounded table: a session unused for an hour is forgotten, and when the table is full the longest unused one is. Its
 * client then gets 404 and initializes anew, as the protocol has it. The map is kept in the order of last use, so that
 * both rules look at its head only.
 */
export class Sessions {
  readonly #table = new Map<string, Session>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#table.size
  }

  open(principal: Principal, version: string): Session {
    this.#forgetIdle()
    if (this.#table.size >= MAX_SESSIONS) this.#forgetFirst()
    const session: Session = {
      id: randomUUID(),
      version,
      owner: { tenantId: principal.tenantId, id: principal.id },
      running: new Map(),
      lastUsed: this.#clock.now(),
    }
    this.#table.set(session.id, session)
    return session
  }

  find(id: string, principal: Principal): Session | undefined {
    this.#forgetIdle()
    const session = this.#table.get(id)
    if (session === undefined || session.owner.tenantId !== principal.tenantId || session.owner.id !== principal.id) return undefined
    session.lastUsed = this.#clock.now()
    this.#table.delete(id)
    this.#table.set(id, session)
    return session
  }

  /** Forgets the session and stops what it runs. */
  end(session: Session): void {
    this.#table.delete(session.id)
    for (const call of session.running.values()) call.abort(new Error('the session was ended'))
  }

  endTenant(tenantId: string): void {
    for (const session of this.#table.values()) if (session.owner.tenantId === tenantId) this.end(session)
  }

  #forgetIdle(): void {
    const since = this.#clock.now() - IDLE_MS
    for (const session of this.#table.values()) {
      if (session.lastUsed > since) return
      this.#table.delete(session.id)
    }
  }

  #forgetFirst(): void {
    for (const id of this.#table.keys()) {
      this.#table.delete(id)
      return
    }
  }
}
