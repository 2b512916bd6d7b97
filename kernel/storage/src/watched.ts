import type { Collection, CollectionRef, Transaction } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { MAX_COLLECTIONS } from './limits.ts'
import type { Changes, Store } from './port.ts'
import { tenantDeleted } from './tenant-deleted.ts'

/**
 * A store that reports, within this process and after each commit, which collections of which tenants have changed, but not the changes
 * themselves. Expired documents are not reported. Without listeners a write costs one look at an empty list.
 *
 * Writes for a tenant that has ended are refused: a call or a job that outlasts the tenant would leave documents after the proof that
 * there are none. Deletes go on, since they are part of the removal.
 */
export function watched(store: Store, isEnded: (tenantId: string) => boolean = () => false): Store {
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
  const known = new BoundedMap<string, Collection<object>>(MAX_COLLECTIONS)
  const reported = new WeakMap<Transaction, Set<string>>()

  function collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    const name = `${ref.id}\n${tenantId}`
    let found = known.get(name)
    if (!found) {
      const inner = store.collection<object>(ref, tenantId)
      found = watch(inner, {
        onChange: () => changed(ref.id, tenantId),
        mayWrite: () => !isEnded(tenantId),
        tenantId,
        inside: (tx) => inTransaction(inner, tx, ref.id, tenantId),
      })
      known.set(name, found)
    }
    return found as Collection<Doc>
  }

  /** Each transaction sends one notification at its commit, however much it writes. */
  function inTransaction(inner: Collection<object>, tx: Transaction, id: string, tenantId: string): Collection<object> {
    const onChange = (): void => {
      let collections = reported.get(tx)
      if (!collections) reported.set(tx, (collections = new Set()))
      if (collections.has(id)) return
      collections.add(id)
      tx.afterCommit(() => changed(id, tenantId))
    }
    const open = watch(inner.in(tx), { onChange, mayWrite: () => !isEnded(tenantId), tenantId, inside: () => open })
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
    scrubAtNextStart: () => store.scrubAtNextStart(),
    now: () => store.now(),
    health: () => store.health(),
    close: () => store.close(),
  }
}

interface Watching {
  readonly tenantId: string
  onChange(): void
  mayWrite(): boolean
  inside(tx: Transaction): Collection<object>
}

function watch(inner: Collection<object>, { onChange: note, mayWrite, tenantId, inside }: Watching): Collection<object> {
  /** A write that changed nothing is not reported. */
  const reporting = <T>(write: Promise<T>): Promise<T> => {
    write.then(
      (done) => {
        if (done !== undefined && done !== 0) note()
      },
      () => {},
    )
    return write
  }
  const written = <T>(write: () => Promise<T>): Promise<T> => (mayWrite() ? reporting(write()) : Promise.reject(tenantDeleted(tenantId)))
  return {
    get: (id) => inner.get(id),
    getMany: (ids) => inner.getMany(ids),
    find: (query) => inner.find(query),
    count: (where, options) => inner.count(where, options),
    group: (query) => inner.group(query),
    distinct: (field, where) => inner.distinct(field, where),
    search: (query) => inner.search(query),
    insert: (doc) => written(() => inner.insert(doc)),
    insertMany: (docs) => written(() => inner.insertMany(docs)),
    updateOne: (id, update, where) => written(() => inner.updateOne(id, update, where)),
    upsert: (doc, update) => written(() => inner.upsert(doc, update)),
    claim: (claim) => written(() => inner.claim(claim)),
    updateMany: (where, update) => written(() => inner.updateMany(where, update)),
    deleteOne: (id, where) => reporting(inner.deleteOne(id, where)),
    deleteMany: (where) => reporting(inner.deleteMany(where)),
    in: inside,
  }
}
