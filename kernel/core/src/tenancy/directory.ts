import {
  allOf,
  BadRequest,
  Conflict,
  checkUnchanged,
  DuplicateKey,
  type Filter,
  isSynthetic,
  isToolError,
  LIST_BYTES,
  LOCAL_TENANT,
  NotFound,
  syntheticTenant,
  type Tenant,
  type TenantAdmin,
  type Update,
} from '@gateway/sdk'
import { Turns } from '@gateway/sdk/bounds'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Relay } from '../ports/relay.ts'
import { tenants } from './collections.ts'

/** The tenants of this gateway: existence and status, answered from memory on the path of every call. */
export interface TenantDirectory
  extends Omit<TenantAdmin, 'issueKey' | 'listKeys' | 'revokeKey' | 'standingKey' | 'ownerOfKey' | 'rotateKey'> {
  /** Undefined for a tenant that does not exist. `local` always exists. */
  statusOf(tenantId: string): Tenant['status'] | undefined
  /** Deleted tenants, whose records are kept as tombstones. */
  deleted(): readonly string[]
  /** Reports that a tenant has stopped being active, so that its open streams can be ended. */
  onBlocked(listener: (tenantId: string) => void): void
}

const TENANT_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/

const STATUS_CHANGED = 'tenant.status'

/** Reads all tenants once, and each one again after a change here or a message of another node, so memory and store agree. */
export async function openTenantDirectory(store: Store, clock: Clock, relay: Relay): Promise<TenantDirectory> {
  const records = store.collection<Tenant>(tenants, KERNEL_TENANT)
  const atomically = store.atomically(KERNEL_TENANT)
  const statuses = new Map<string, Tenant['status']>([[LOCAL_TENANT, 'active']])
  const listeners: ((tenantId: string) => void)[] = []
  const turns = new Turns()

  await readAll()
  // The node receives its own changes as well: one whose commit was not answered is learned from its message alone.
  relay.subscribe(STATUS_CHANGED, ({ tenantId }) => refresh(tenantId), { own: true })
  relay.onGap(readAll)

  const now = (): string => new Date(clock.now()).toISOString()

  /**
   * Reads run one at a time, and memory takes only what a read found: a later read never finds an older state. They do not wait for
   * changes, which may take seconds on a contended store, because every call of this node waits for the messages of others.
   */
  function inReadTurn(read: () => Promise<void>): Promise<void> {
    return turns.run('read', read)
  }

  function readAll(): Promise<void> {
    return inReadTurn(async () => {
      for (const tenant of await all()) remember(tenant)
    })
  }

  function refresh(tenantId: string): Promise<void> {
    return inReadTurn(async () => remember(await get(tenantId)))
  }

  /** Updates the status that every call checks, and notifies the streams of a tenant that is now blocked. */
  function remember({ tenantId, status }: Tenant): void {
    const before = statuses.get(tenantId)
    statuses.set(tenantId, status)
    if (status === 'active' || status === before) return
    for (const listener of listeners) listener(tenantId)
  }

  function all(): Promise<Tenant[]> {
    return allOf(records, { sort: { tenantId: 1 }, limit: 1_000 })
  }

  async function get(tenantId: string): Promise<Tenant> {
    const tenant = await records.get(tenantId)
    if (!tenant) throw NotFound({ what: 'tenant', id: tenantId })
    return tenant
  }

  /** Changes run one at a time, so that they do not contend with each other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    return turns.run('change', work)
  }

  /** Changes a tenant that is not deleted and returns it. `needed` tells whether there is anything to change. */
  async function update(
    tenantId: string,
    change: Update<Tenant>,
    needed: (tenant: Tenant) => boolean,
    ifUpdatedAt?: string,
  ): Promise<Tenant> {
    const tenant = await get(tenantId)
    const deleted = Conflict({ message: `Tenant ${tenantId} is deleted.` })
    if (tenant.status === 'deleted') throw deleted
    checkUnchanged(tenant, ifUpdatedAt)
    if (!needed(tenant)) {
      await refresh(tenantId)
      return tenant
    }
    const changed = await atomically(async (tx) => {
      const inTransaction = records.in(tx)
      if (ifUpdatedAt !== undefined) checkUnchanged(await inTransaction.get(tenantId), ifUpdatedAt)
      const after = await inTransaction.updateOne(
        tenantId,
        { ...change, set: { ...change.set, updatedAt: now() } },
        { status: { ne: 'deleted' } },
      )
      if (change.set?.status !== undefined) await relay.publishInTransaction(tx, { topic: STATUS_CHANGED, tenantId })
      return after
    })
    if (!changed) throw deleted
    await refresh(tenantId)
    return changed
  }

  return {
    statusOf: (tenantId) => statuses.get(tenantId),
    deleted: () => [...statuses].flatMap(([tenantId, status]) => (status === 'deleted' ? [tenantId] : [])),
    onBlocked: (listener) => void listeners.push(listener),
    get,
    list: async () => (await all()).filter(({ tenantId }) => !isSynthetic(tenantId)),
    async page(query) {
      const { items, ...rest } = await records.find({ ...query, sort: { tenantId: 1 }, maxBytes: LIST_BYTES })
      return { ...rest, items: items.filter(({ tenantId }) => !isSynthetic(tenantId)) }
    },
    isHeld: async (tenantId) => (await records.get(tenantId))?.legalHold ?? false,
    async create({ name, plan, tenantId = newId('t-', clock.now()), synthetic = false }) {
      if (!TENANT_ID.test(tenantId) || tenantId === LOCAL_TENANT || isSynthetic(tenantId) !== synthetic) {
        throw BadRequest({
          field: 'tenantId',
          message: `\`tenantId\` must match ${TENANT_ID.source}, not be ${LOCAL_TENANT} and not begin with ${syntheticTenant('')}; got ${JSON.stringify(tenantId)}.`,
        })
      }
      const at = now()
      try {
        const tenant = await atomically(async (tx) => {
          const fresh = { tenantId, name, plan, status: 'active', legalHold: false, createdAt: at, updatedAt: at } as const
          await relay.publishInTransaction(tx, { topic: STATUS_CHANGED, tenantId })
          return records.in(tx).insert(fresh)
        })
        await refresh(tenantId)
        return tenant
      } catch (error) {
        if (isToolError(error) && error.code === DuplicateKey.code)
          throw Conflict({ field: 'tenantId', message: `Tenant ${tenantId} exists already.` })
        throw error
      }
    },
    change: (tenantId, { plan, legalHold }, ifUpdatedAt) =>
      inTurn(() =>
        update(
          tenantId,
          { set: { plan, legalHold } },
          (tenant) => (plan ?? tenant.plan) !== tenant.plan || (legalHold ?? tenant.legalHold) !== tenant.legalHold,
          ifUpdatedAt,
        ),
      ),
    suspend: (tenantId, reason) =>
      inTurn(async () => {
        const suspension = { status: 'suspended', suspendedAt: now(), suspendReason: reason } as const
        return await update(tenantId, { set: suspension }, ({ status }) => status !== 'suspended')
      }),
    reactivate: (tenantId) =>
      inTurn(async () => {
        const reactivation = { set: { status: 'active' }, unset: ['suspendedAt', 'suspendReason', 'cancelledAt'] } as const
        const isNeeded = ({ status, cancelledAt }: Tenant): boolean => status !== 'active' || cancelledAt !== undefined
        return await update(tenantId, reactivation, isNeeded)
      }),
    // A repeated request keeps the first: its grace window has begun.
    requestErasure: (tenantId) =>
      inTurn(() => update(tenantId, { set: { erasureRequestedAt: now() } }, (tenant) => tenant.erasureRequestedAt === undefined)),
    end: (tenantId, asked, before) =>
      inTurn(async () => {
        const tombstone = { name: '', status: 'deleted', deletedAt: now(), updatedAt: now() } as const
        const ended = await atomically(async (tx) => {
          const due: Filter<Tenant> = { status: { ne: 'deleted' }, legalHold: false, and: [{ [asked]: { lt: before } }] }
          await relay.publishInTransaction(tx, { topic: STATUS_CHANGED, tenantId })
          return records.in(tx).updateOne(tenantId, { set: tombstone, unset: ['suspendedAt', 'suspendReason'] }, due)
        })
        if (ended) await refresh(tenantId)
        return ended
      }),
    cancel: (tenantId) => inTurn(() => update(tenantId, { set: { cancelledAt: now() } }, (tenant) => tenant.cancelledAt === undefined)),
  }
}
