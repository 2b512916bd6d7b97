import type { Collection, CollectionRef, Transaction } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { Changes, Store } from './port.ts'

/**
 * A store that tells which collections of which tenants have changed, once that is committed: told within the process, soon, and without
 * what. Documents that expire are not told of. While nobody listens it costs a look at an empty list.
 */
export function watched(store: Store): Store {
  const listeners = new Set<(collection: string, tenantId: string) => void>()
  const changed = (collection: string, tenantId: string): void => {
    if (listeners.size > 0) for (const listener of listeners) listener(collection, tenantId)
  }
  const changes: Changes = {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const known = new BoundedMap<string, Map<string, Collection<object>>>(MAX_TENANTS)
  const told = new WeakMap<Transaction, Set<string>>()

  function collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    let ofTenant = known.get(tenantId)
    if (!ofTenant) {
      known.set(tenantId, (ofTenant = new Map()))
    }
    let found = ofTenant.get(ref.id)
    if (!found) {
      const inner = store.collection<object>(ref, tenantId)
      ofTenant.set(
        ref.id,
        (found = watch(
          inner,
          () => changed(ref.id, tenantId),
          (tx) => inTransaction(inner, tx, ref.id, tenantId),
        )),
      )
    }
    return found as Collection<Doc>
  }

  /** Told once for a transaction, however much it writes, when it is committed. */
  function inTransaction(inner: Collection<object>, tx: Transaction, id: string, tenantId: string): Collection<object> {
    const note = (): void => {
      let collections = told.get(tx)
      if (!collections) told.set(tx, (collections = new Set()))
      if (collections.has(id)) return
      collections.add(id)
      tx.afterCommit(() => changed(id, tenantId))
    }
    const open = watch(inner.in(tx), note, () => open)
    return open
  }

  return {
    kind: store.kind,
    shared: store.shared,
    changes,
    collection,
    prepare: (collections) => store.prepare(collections),
    atomically: (tenantId) => store.atomically(tenantId),
    tenants: () => store.tenants(),
    tenantsWith: (ref, where) => store.tenantsWith(ref, where),
    documentsOf: (tenantId) => store.documentsOf(tenantId),
    removeSome: (tenantId, limit) => store.removeSome(tenantId, limit),
    scrub: () => store.scrub(),
    now: () => store.now(),
    health: () => store.health(),
    close: () => store.close(),
  }
}

/** Beyond so many the table starts anew: an adapter keeps its own. */
const MAX_TENANTS = 5_000

type InTransaction = (tx: Transaction) => Collection<object>

function watch(inner: Collection<object>, note: () => void, inside: InTransaction): Collection<object> {
  /** A write that changed nothing is none. */
  const noted = <T>(write: Promise<T>): Promise<T> => {
    write.then(
      (done) => {
        if (done !== undefined && done !== 0) note()
      },
      () => {},
    )
    return write
  }
  return {
    get: (id) => inner.get(id),
    getMany: (ids) => inner.getMany(ids),
    find: (query) => inner.find(query),
    count: (where, options) => inner.count(where, options),
    group: (query) => inner.group(query),
    distinct: (field, where) => inner.distinct(field, where),
    search: (query) => inner.search(query),
    insert: (doc) => noted(inner.insert(doc)),
    insertMany: (docs) => noted(inner.insertMany(docs)),
    updateOne: (id, update, where) => noted(inner.updateOne(id, update, where)),
    upsert: (doc, update) => noted(inner.upsert(doc, update)),
    claim: (claim) => noted(inner.claim(claim)),
    updateMany: (where, update) => noted(inner.updateMany(where, update)),
    deleteOne: (id, where) => noted(inner.deleteOne(id, where)),
    deleteMany: (where) => noted(inner.deleteMany(where)),
    in: inside,
  }
}
