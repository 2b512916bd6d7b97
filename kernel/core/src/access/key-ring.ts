import { type Collection, type IssuedKey, type KeyEnvironment, type Principal, type TenantRole, tenantRoles } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Clock } from '../clock.ts'
import type { Relay } from '../ports/relay.ts'
import { type ApiKey, apiKeys } from '../tenancy/collections.ts'
import { mintKey, parseKey } from './api-key.ts'
import { Remembered } from './remembered.ts'
import type { SecretHasher } from './secrets.ts'

export interface KeyRing {
  /** Who a key is, or undefined when it is not valid now. Immediate for a key seen before. */
  principalOf(key: string): Principal | undefined | Promise<Principal | undefined>
  issue(key: { tenantId: string; role: TenantRole; environment: KeyEnvironment }): Promise<IssuedKey>
  /**
   * A new key of the role and environment; the tenant’s keys of that environment and role stay valid for the grace
   * window and no longer. Default role: the highest that a key of the environment has. `graceUntil` is an ISO time.
   */
  rotate(key: {
    tenantId: string
    role?: TenantRole | undefined
    environment: KeyEnvironment
    graceMinutes: number
  }): Promise<IssuedKey & { graceUntil: string }>
  /** Every key of a tenant is void at once. Returns how many there were. */
  revokeAll(tenantId: string): Promise<number>
}

const KEYS_CHANGED = 'tenant.keys'

export function keyRing(store: Store, hasher: SecretHasher, clock: Clock, relay: Relay): KeyRing {
  const records = store.collection<ApiKey>(apiKeys, KERNEL_TENANT)
  const atomically = store.atomically(KERNEL_TENANT)
  const known = new Remembered(clock)

  /** Counts changes of keys: what was read before a change must not be remembered after it. */
  let changes = 0
  const forgetTenant = (tenantId: string): void => {
    changes++
    known.forgetTenant(tenantId)
  }

  const forgetAll = (): void => {
    changes++
    known.forgetAll()
  }
  relay.hear(KEYS_CHANGED, ({ tenantId }) => forgetTenant(tenantId))
  relay.onLost(forgetAll)

  async function lookUp(key: string, digest: string): Promise<Principal | undefined> {
    const parsed = parseKey(key)
    const before = changes
    const record = parsed && (await records.get(parsed.keyId))
    if (!record || !hasher.matches(key, record.hash)) return undefined
    const validUntil = record.validUntil === undefined ? Number.POSITIVE_INFINITY : Date.parse(record.validUntil)
    if (validUntil <= clock.now()) return undefined
    const principal: Principal = { id: `key:${record.keyId}`, kind: 'api-key', role: record.role, tenantId: record.tenantId }
    if (changes === before) known.remember(digest, { principal, validUntil })
    return principal
  }

  /** The record and the one copy of the key there will ever be. */
  function make({ tenantId, role, environment }: { tenantId: string; role: TenantRole; environment: KeyEnvironment }): [ApiKey, IssuedKey] {
    const { key, keyId } = mintKey(environment)
    const createdAt = new Date(clock.now()).toISOString()
    return [
      { keyId, tenantId, role, environment, hash: hasher.hash(key), createdAt },
      { apiKey: key, keyId },
    ]
  }

  return {
    principalOf: (key) => known.principalOf(key, (digest) => lookUp(key, digest)),
    async issue(spec) {
      const [record, issued] = make(spec)
      await records.insert(record)
      return issued
    },
    async rotate({ graceMinutes, ...given }) {
      const graceUntil = new Date(clock.now() + graceMinutes * 60_000).toISOString()
      const issued = await atomically(async (tx) => {
        const inTx = records.in(tx)
        const mine = { ...given, role: given.role ?? (await highestRole(inTx, given)) }
        const [record, issued] = make(mine)
        // A key that already ends sooner keeps its end: rotating twice must not lengthen a grace window.
        await inTx.updateMany({ ...mine, validUntil: { exists: false } }, { set: { validUntil: graceUntil } })
        await inTx.updateMany({ ...mine, validUntil: { gt: graceUntil } }, { set: { validUntil: graceUntil } })
        await inTx.insert(record)
        await relay.tellIn(tx, { topic: KEYS_CHANGED, tenantId: given.tenantId })
        return issued
      })
      forgetTenant(given.tenantId)
      return { ...issued, graceUntil }
    },
    async revokeAll(tenantId) {
      const count = await atomically(async (tx) => {
        await relay.tellIn(tx, { topic: KEYS_CHANGED, tenantId })
        return records.in(tx).deleteMany({ tenantId })
      })
      forgetTenant(tenantId)
      return count
    },
  }
}

/** Of the keys that do not end yet; `member` where there are none. */
async function highestRole(
  keys: Collection<ApiKey>,
  { tenantId, environment }: Pick<ApiKey, 'tenantId' | 'environment'>,
): Promise<TenantRole> {
  const groups = await keys.group({ where: { tenantId, environment, validUntil: { exists: false } }, by: ['role'] })
  const roles = groups.map(({ key }) => key[0])
  return tenantRoles.findLast((role) => roles.includes(role)) ?? 'member'
}
