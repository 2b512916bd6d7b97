import { randomBytes } from 'node:crypto'
import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import { INVALID_REQUEST, RpcError } from '../jsonrpc.ts'
import type { Agreed, Session } from './session.ts'
import { RENEW_MS, SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'

/** Form of the issued ids; no other id is looked up in the store. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Number renewed at one tick, so that sessions resumed together do not all write at once. */
const RENEWED_AT_ONCE = 500
/** Sessions of a tenant opened here between two checks of their number. */
const TRIM_EVERY = 100
/** Tells other nodes to read the session again. */
const CHANGED = 'mcp.session'

/**
 * Sessions in the store, so that a client continues its session after a restart and on any node:
 *
 * 1. `initialize` is answered when the session's record is written.
 * 2. A session that is not in memory is loaded from its record, only for the caller who opened it.
 * 3. The log level and subscriptions are written when they change, and the other nodes are notified.
 * 4. Its use is recorded every ten minutes, not by each call.
 * 5. Its record is removed by DELETE, by the suspension of its tenant, or after a day without use.
 */
export class PersistentSessions {
  readonly here: Sessions
  readonly #store: SessionStore
  readonly #gateway: Gateway
  readonly #resumed = new Map<string, Promise<Session | undefined>>()
  readonly #opened = new Map<string, number>()

  /** `ended` is called for each session that leaves the memory of this process. */
  constructor(gateway: Gateway, ended: (session: Session) => void) {
    this.#gateway = gateway
    this.#store = new SessionStore(gateway)
    this.here = new Sessions(gateway.clock, ended)
    gateway.onTenantBlocked((tenantId) => {
      this.here.endTenant(tenantId)
      this.#inBackground(this.#store.removeAll(tenantId), 'the sessions of a suspended tenant could not be removed')
    })
    gateway.relay.subscribe(CHANGED, async ({ data }) => {
      const session = this.here.get(data as string)
      if (session) await this.#reload(session)
    })
    gateway.relay.onGap(async () => {
      // A copy: use moves a session to the end of the table, and the loop would not end.
      const known = [...this.here.all()]
      for (const session of known) await this.#reload(session)
    })
  }

  /** Also opened while the store accepts no writes; it then lasts as long as this process keeps it. */
  async open(principal: Principal, agreed: Agreed): Promise<Session> {
    const session = this.here.open(principal, agreed)
    try {
      await this.#store.write(session, [])
    } catch (error) {
      this.#gateway.log.warn({ err: error, tenantId: principal.tenantId }, 'a session could not be kept in the store')
    }
    this.#trimOccasionally(principal.tenantId)
    return session
  }

  /** Synchronous for a session in memory. */
  find(id: string, principal: Principal): Session | undefined | Promise<Session | undefined> {
    const session = this.here.find(id, principal)
    if (session !== undefined || this.here.get(id) !== undefined || !SESSION_ID.test(id)) return session
    const key = `${principal.tenantId} ${principal.id} ${id}`
    let taking = this.#resumed.get(key)
    if (taking === undefined) {
      taking = this.#resume(id, principal).finally(() => this.#resumed.delete(key))
      this.#resumed.set(key, taking)
    }
    return taking
  }

  /** Resolves when the session's settings are written. */
  async keep(session: Session): Promise<void> {
    const wasStored = session.isStored
    try {
      if (!(await this.#write(session))) throw new RpcError(INVALID_REQUEST, 'Invalid request: the session was ended')
    } catch (error) {
      // A session that is not in the store has nothing there that could disagree.
      if (wasStored) throw error
    }
    this.#publishChanged(session)
  }

  async end(session: Session): Promise<void> {
    this.here.end(session)
    await this.#store.remove(session)
    this.#publishChanged(session)
  }

  /** Drops expired sessions and records those in use. */
  tick(): void {
    this.here.tick()
    let renewed = 0
    for (const session of this.here.all()) {
      if (session.lastUsed - session.writtenAt < RENEW_MS) continue
      this.#inBackground(this.#write(session), 'a session could not be renewed')
      if (++renewed === RENEWED_AT_ONCE) return
    }
  }

  async #resume(id: string, principal: Principal): Promise<Session | undefined> {
    const record = await this.#store.read(id, principal)
    if (record === undefined) return undefined
    const { version, abilities, clientName, logLevel, subscriptions } = record
    const turn = randomBytes(4).toString('hex')
    const session = this.here.open(principal, { version, abilities, clientName }, { id, turn })
    session.isStored = true
    session.logLevel = logLevel
    this.here.subscriptions.replace(session, subscriptions)
    // Written at once, because it may be dropped again before the next tick.
    await this.#write(session).catch((error: unknown) => this.#gateway.log.warn({ err: error }, 'a session could not be renewed'))
    return this.here.get(id)
  }

  async #reload(session: Session): Promise<void> {
    if (!session.isStored) return
    const record = await this.#store.read(session.id, { ...session.owner })
    if (record === undefined) return this.here.end(session)
    session.logLevel = record.logLevel
    this.here.subscriptions.replace(session, record.subscriptions)
  }

  /** False if another node has ended it. */
  async #write(session: Session): Promise<boolean> {
    const written = await this.#store.write(session, this.here.subscriptions.list(session))
    if (!written) this.here.end(session)
    return written
  }

  #publishChanged({ id, owner }: Session): void {
    this.#gateway.relay.publish({ topic: CHANGED, tenantId: owner.tenantId, data: id })
  }

  #trimOccasionally(tenantId: string): void {
    const opened = (this.#opened.get(tenantId) ?? 0) + 1
    if (opened < TRIM_EVERY) return void this.#opened.set(tenantId, opened)
    this.#opened.delete(tenantId)
    this.#inBackground(this.#store.trim(tenantId), 'the sessions of a tenant could not be trimmed')
  }

  #inBackground(work: Promise<unknown>, failed: string): void {
    work.catch((error: unknown) => this.#gateway.log.warn({ err: error }, failed))
  }
}
