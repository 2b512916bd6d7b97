import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { Session } from './session.ts'
import { type SessionRecord, sessionRecords } from './session-records.ts'

/** For how long a session waits for its client, also over restarts. */
const KEPT_MS = 24 * 3_600_000
/** That a session is in use is written this seldom, so that a call costs no write; its record is kept that much longer. */
export const RENEW_MS = 600_000
/** Of one tenant; beyond it those used longest ago go. A client that opens one a call must not fill the store. */
const MAX_PER_TENANT = 10_000
/** How many a trim removes at most. */
const TRIMMED_AT_ONCE = 1_000

/** The records of sessions. */
export class SessionStore {
  readonly #gateway: Pick<Gateway, 'store' | 'clock'>

  constructor(gateway: Pick<Gateway, 'store' | 'clock'>) {
    this.#gateway = gateway
  }

  /** Undefined also for one that has expired, and for another caller’s. */
  async read(sessionId: string, { tenantId, id }: Pick<Principal, 'tenantId' | 'id'>): Promise<SessionRecord | undefined> {
    const record = await this.#of(tenantId).get(sessionId)
    return record?.owner === id && record.expiresAt > this.#at(0) ? record : undefined
  }

  /** Resolves when the session is kept as it is now; false when it has been ended meanwhile. */
  async write(session: Session, subscriptions: string[]): Promise<boolean> {
    const { id, owner, agreed, logLevel, isStored } = session
    session.writtenAt = this.#gateway.clock.now()
    const state = { ...(logLevel && { logLevel }), subscriptions, expiresAt: this.#at(KEPT_MS + RENEW_MS) }
    const records = this.#of(owner.tenantId)
    if (isStored) return (await records.updateOne(id, { set: state })) !== undefined
    await records.insert({ sessionId: id, owner: owner.id, version: agreed.version, abilities: [...agreed.abilities], ...state })
    session.isStored = true
    return true
  }

  async remove({ id, owner }: Session): Promise<void> {
    await this.#of(owner.tenantId).deleteOne(id)
  }

  async removeAll(tenantId: string): Promise<void> {
    await this.#of(tenantId).deleteMany({})
  }

  /** Lets go of what a tenant has too many of. */
  async trim(tenantId: string): Promise<void> {
    const records = this.#of(tenantId)
    const surplus = (await records.count({}, { max: MAX_PER_TENANT + TRIMMED_AT_ONCE })) - MAX_PER_TENANT
    if (surplus <= 0) return
    const { items } = await records.find({ sort: { expiresAt: 1 }, limit: surplus })
    await records.deleteMany({ sessionId: { in: items.map(({ sessionId }) => sessionId) } })
  }

  #at(laterMs: number): string {
    return new Date(this.#gateway.clock.now() + laterMs).toISOString()
  }

  #of(tenantId: string) {
    return this.#gateway.store.collection<SessionRecord>(sessionRecords, tenantId)
  }
}
