import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { Session } from './session.ts'
import { type SessionRecord, sessionRecords } from './session-records.ts'

/** Time that a session waits for its client, also over restarts. */
const KEPT_MS = 24 * 3_600_000
/** Interval in which a session's use is recorded, so that a call costs no write; its record is kept that much longer. */
export const RENEW_MS = 600_000
/** Limit per tenant; above it the least recently used are removed. A client that opens one per call must not fill the store. */
const MAX_PER_TENANT = 10_000
const TRIMMED_AT_ONCE = 1_000

export class SessionStore {
  readonly #gateway: Pick<Gateway, 'store' | 'clock'>

  constructor(gateway: Pick<Gateway, 'store' | 'clock'>) {
    this.#gateway = gateway
  }

  /** Undefined also for an expired session and for another caller's. */
  async read(sessionId: string, { tenantId, id }: Pick<Principal, 'tenantId' | 'id'>): Promise<SessionRecord | undefined> {
    const record = await this.#of(tenantId).get(sessionId)
    return record?.owner === id && record.expiresAt > this.#at(0) ? record : undefined
  }

  /** Resolves when the present state of the session is stored; false if it has ended meanwhile. */
  async write(session: Session, subscriptions: string[]): Promise<boolean> {
    const { id, owner, agreed, logLevel, isStored } = session
    session.writtenAt = this.#gateway.clock.now()
    const state = { ...(logLevel && { logLevel }), subscriptions, expiresAt: this.#at(KEPT_MS + RENEW_MS) }
    const records = this.#of(owner.tenantId)
    if (isStored) return (await records.updateOne(id, { set: state })) !== undefined
    const { version, abilities, clientName } = agreed
    const agreement = { version, abilities: [...abilities], ...(clientName !== undefined && { clientName }) }
    await records.insert({ sessionId: id, owner: owner.id, ...agreement, ...state })
    session.isStored = true
    return true
  }

  async remove({ id, owner }: Session): Promise<void> {
    await this.#of(owner.tenantId).deleteOne(id)
  }

  async removeAll(tenantId: string): Promise<void> {
    await this.#of(tenantId).deleteMany({})
  }

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
