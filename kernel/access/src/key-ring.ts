import type { Clock, Relay, SecretHasher } from '@gateway/kernel'
import {
  BadRequest,
  type Collection,
  Conflict,
  defined,
  type IssuedKey,
  type KeyDraft,
  type KeyEnvironment,
  NotFound,
  type Principal,
  type TenantKey,
  type TenantRole,
  tenantRoles,
} from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import { mintKey, parseKey } from './api-key.ts'
import { type ApiKey, apiKeys } from './collections.ts'
import { KeyUses } from './key-uses.ts'
import { Remembered } from './remembered.ts'

export interface KeyRing {
  /** Returns the principal of a key, or undefined if the key is not valid now. Synchronous for a key seen before. */
  principalOf(key: string): Principal | undefined | Promise<Principal | undefined>
  issue(key: KeyDraft & { tenantId: string }): Promise<IssuedKey>
  /**
   * Issues a new key of the given role and environment. The tenant's other keys of that environment and role stay valid until the
   * grace window ends. The default role is the highest among the keys of the environment. `graceUntil` is an ISO time.
   */
  rotate(key: {
    tenantId: string
    role?: TenantRole | undefined
    environment: KeyEnvironment
    graceMinutes: number
  }): Promise<IssuedKey & { graceUntil: string; replaced: string[] }>
  list(tenantId: string): Promise<readonly TenantKey[]>
  revoke(tenantId: string, keyId: string): Promise<TenantKey>
  standing(tenantId: string, keyId: string): Promise<TenantKey | undefined>
  /** Tells whether a key is valid now, for a caller that has received the messages of other nodes. */
  stands(tenantId: string, keyId: string): boolean | Promise<boolean>
  /** Drops the tenant's keys from the cache; they are looked up again at their next use. */
  forget(tenantId: string): void
  /** Revokes every key of a tenant at once and returns how many there were. */
  revokeAll(tenantId: string): Promise<number>
  /** Waits for pending writes. */
  close(): Promise<void>
}

/** A key, and when it ends by this node's clock, in epoch milliseconds. */
interface Dated {
  readonly record: ApiKey
  readonly validUntil: number
}

/** Maximum number of keys per tenant, without expired ones. */
const MAX_KEYS = 1_000

const KEYS_CHANGED = 'tenant.keys'
/** Capacity of the cache of keys by id; the oldest entry is evicted first. */
const MAX_BY_ID = 10_000

export function keyRing(
  store: Store,
  hasher: SecretHasher,
  clock: Clock,
  relay: Relay,
  failed: (error: unknown) => void = () => {},
): KeyRing {
  const records = store.collection<ApiKey>(apiKeys, KERNEL_TENANT)
  const atomically = store.atomically(KERNEL_TENANT)
  const known = new Remembered(clock)
  /** Sessions and tokens that end with a key ask for it on every call. */
  const byId = new BoundedMap<string, Dated>(MAX_BY_ID)
  const uses = new KeyUses(clock, (keyId, at) => records.updateOne(keyId, { set: { lastUsedAt: at } }), failed)
  // The store's clock decides when a key ends: those of the nodes may be far apart.
  const now = async (): Promise<string> => (await store.now()).toISOString()
  const standing = (tenantId: string, at: string) => ({ tenantId, or: [{ validUntil: { exists: false } }, { validUntil: { gt: at } }] })

  /** Counts changes of keys, so that a value read before a change is not cached after it. */
  let changes = 0
  const forgetTenant = (tenantId: string): void => {
    changes++
    known.forgetTenant(tenantId)
    for (const [keyId, { record }] of byId) if (record.tenantId === tenantId) byId.delete(keyId)
  }

  const forgetAll = (): void => {
    changes++
    known.forgetAll()
    byId.clear()
  }
  // The node receives its own changes as well: one whose commit was not answered is learned from its message alone.
  relay.subscribe(KEYS_CHANGED, ({ tenantId }) => forgetTenant(tenantId), { own: true })
  relay.onGap(forgetAll)

  const isStanding = ({ record, validUntil }: Dated, tenantId: string): boolean => record.tenantId === tenantId && validUntil > clock.now()

  /** Returns when a key ends by this node's clock, in epoch milliseconds. */
  async function endOf({ validUntil }: ApiKey): Promise<number> {
    if (validUntil === undefined) return Number.POSITIVE_INFINITY
    const storeTime = await store.now()
    return Date.parse(validUntil) - storeTime.getTime() + clock.now()
  }

  async function lookUpById(keyId: string): Promise<Dated | undefined> {
    const before = changes
    const record = await records.get(keyId)
    if (!record) return undefined
    const dated = { record, validUntil: await endOf(record) }
    if (changes === before) byId.set(keyId, dated)
    return dated
  }

  async function lookUp(key: string, digest: string): Promise<Principal | undefined> {
    const parsed = parseKey(key)
    const before = changes
    const record = parsed && (await records.get(parsed.keyId))
    if (!record || !hasher.matches(key, record.hash)) return undefined
    const validUntil = await endOf(record)
    if (validUntil <= clock.now()) return undefined
    const { keyId, role, tenantId, label } = record
    const principal: Principal = { id: `key:${keyId}`, kind: 'api-key', role, tenantId, ...(label !== undefined && { label }) }
    if (changes === before) known.remember(digest, { principal, validUntil })
    return principal
  }

  /** Builds the record and the only copy of the key that will ever exist. */
  function make(
    { tenantId, role, environment, label, expiresAt, madeBy }: KeyDraft & { tenantId: string },
    createdAt: string,
  ): [ApiKey, IssuedKey] {
    const { key, keyId } = mintKey(environment)
    const end = expiresAt === undefined ? {} : { validUntil: expiresAt, expiresAt }
    return [
      { keyId, tenantId, role, environment, hash: hasher.hash(key), createdAt, ...defined({ label, madeBy }), ...end },
      { apiKey: key, keyId },
    ]
  }

  const noted = (principal: Principal | undefined): Principal | undefined => {
    if (principal !== undefined) uses.note(principal.id.slice('key:'.length))
    return principal
  }

  return {
    principalOf(key) {
      const found = known.principalOf(key, (digest) => lookUp(key, digest))
      return found instanceof Promise ? found.then(noted) : noted(found)
    },
    async issue(spec) {
      const at = await now()
      if (spec.expiresAt !== undefined && spec.expiresAt <= at)
        throw BadRequest({
          field: 'expiresAt',
          message: `\`expiresAt\` must be in the future; got ${spec.expiresAt}, and the time is ${at}.`,
        })
      const [record, issued] = make(spec, at)
      await atomically(async (tx) => {
        if ((await records.in(tx).count(standing(spec.tenantId, at))) >= MAX_KEYS)
          throw Conflict({ message: `Tenant ${spec.tenantId} has ${MAX_KEYS} API keys, the maximum; revoke some.` })
        await records.in(tx).insert(record)
      })
      return issued
    },
    forget: forgetTenant,
    async list(tenantId) {
      await uses.settled()
      const { items } = await records.find({ where: standing(tenantId, await now()), sort: { createdAt: 1 }, limit: MAX_LISTED })
      return items.map(shown)
    },
    async standing(tenantId, keyId) {
      await relay.catchUp()
      const found = byId.get(keyId) ?? (await lookUpById(keyId))
      return found && isStanding(found, tenantId) ? shown(found.record) : undefined
    },
    stands(tenantId, keyId) {
      const known = byId.get(keyId)
      if (known) return isStanding(known, tenantId)
      return lookUpById(keyId).then((found) => found !== undefined && isStanding(found, tenantId))
    },
    async revoke(tenantId, keyId) {
      const unknown = NotFound({ what: 'key', id: keyId })
      const record = await records.get(keyId)
      if (record?.tenantId !== tenantId) throw unknown
      await atomically(async (tx) => {
        if (!(await records.in(tx).deleteOne(keyId))) throw unknown
        await relay.publishInTransaction(tx, { topic: KEYS_CHANGED, tenantId })
      })
      forgetTenant(tenantId)
      return shown(record)
    },
    async rotate({ graceMinutes, ...given }) {
      const at = await store.now()
      const graceUntil = new Date(at.getTime() + graceMinutes * 60_000).toISOString()
      const issued = await atomically(async (tx) => {
        const inTx = records.in(tx)
        const mine = { ...given, role: given.role ?? (await highestRole(inTx, given)) }
        const [record, issued] = make(mine, at.toISOString())
        const before = await inTx.find({ where: { ...mine, or: standing(mine.tenantId, at.toISOString()).or }, limit: MAX_LISTED })
        // A key that ends sooner keeps its end, because rotating twice must not lengthen a grace window.
        const replaced = { set: { validUntil: graceUntil }, unset: ['expiresAt'] } as const
        await inTx.updateMany({ ...mine, validUntil: { exists: false } }, replaced)
        await inTx.updateMany({ ...mine, validUntil: { gt: graceUntil } }, replaced)
        await inTx.insert(record)
        await relay.publishInTransaction(tx, { topic: KEYS_CHANGED, tenantId: given.tenantId })
        return { ...issued, replaced: before.items.map(({ keyId }) => keyId) }
      })
      forgetTenant(given.tenantId)
      return { ...issued, graceUntil }
    },
    async revokeAll(tenantId) {
      const count = await atomically(async (tx) => {
        await relay.publishInTransaction(tx, { topic: KEYS_CHANGED, tenantId })
        return records.in(tx).deleteMany({ tenantId })
      })
      forgetTenant(tenantId)
      return count
    },
    close: () => uses.settled(),
  }
}

/** Rotations may exceed `MAX_KEYS`, so that a tenant at the limit can still replace its keys. */
const MAX_LISTED = 10_000

function shown({ keyId, label, role, environment, createdAt, lastUsedAt, validUntil, madeBy }: ApiKey): TenantKey {
  return { keyId, ...defined({ label }), role, environment, createdAt, ...defined({ lastUsedAt, expiresAt: validUntil, madeBy }) }
}

/** Returns the highest role among the keys that are not rotated away, or `member` if there are none. */
async function highestRole(
  keys: Collection<ApiKey>,
  { tenantId, environment }: Pick<ApiKey, 'tenantId' | 'environment'>,
): Promise<TenantRole> {
  const current = { tenantId, environment, or: [{ validUntil: { exists: false } }, { expiresAt: { exists: true } }] }
  const groups = await keys.group({ where: current, by: ['role'] })
  const roles = groups.map(({ key }) => key[0])
  return tenantRoles.findLast((role) => roles.includes(role)) ?? 'member'
}
