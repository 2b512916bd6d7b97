import type { Collection, CollectionRef, Transaction } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { MAX_COLLECTIONS } from './limits.ts'
import type { Announce, Changes, Store } from './port.ts'
import { tenantDeleted } from './tenant-deleted.ts'

/**
 * A store that reports, within this process and after each commit, which collections of which tenants have changed, but not the changes
 * themselves. Expired documents are not reported. Without listeners a write costs one look at an empty list.
 *
 * A change can also be announced to other processes, in the transaction that makes it.
 *
 * Writes for a tenant that has ended are refused: a call or a job that outlasts the tenant would leave documents after the proof that
 * there are none. Deletes go on, since they are part of the removal.
 */
export function watched(store: Store, isEnded: (tenantId: string) => boolean = () => false): Store {
  const listeners = new Set<(collection: string, tenantId: string) => void>()
  const changed = (collection: string, tenantId: string): void => {
    if (listeners.size > 0) for (const listener of listeners) listener(collection, tenantId)
  }
  const announced = new Map<string, Announce>()
  const changes: Changes = {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    announce(collections, announce) {
      for (const { id } of collections) announced.set(id, announce)
    },
  }
  const known = new BoundedMap<string, Collection<object>>(MAX_COLLECTIONS)
  const reported = new WeakMap<Transaction, Set<string>>()
  const saidIn = new WeakMap<Transaction, Set<Announce>>()

  /** Announces once in each transaction, however much it writes. */
  async function say(announce: Announce, tx: Transaction, tenantId: string): Promise<void> {
    const said = saidIn.get(tx) ?? new Set()
    saidIn.set(tx, said)
    if (said.has(announce)) return
    said.add(announce)
    await announce(tx, tenantId)
  }

  function collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    const name = `${ref.id}\n${tenantId}`
    let found = known.get(name)
    if (!found) {
      const inner = store.collection<object>(ref, tenantId)
      const inside = (tx: Transaction): Collection<object> => inTransaction(inner, tx, ref.id, tenantId)
      found = watch(inner, {
        onChange: () => changed(ref.id, tenantId),
        mayWrite: () => !isEnded(tenantId),
        tenantId,
        write: (operation) => (announced.has(ref.id) ? store.atomically(tenantId)((tx) => operation(inside(tx))) : operation(inner)),
        inside,
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
    const joined = inner.in(tx)
    const write: Watching['write'] = async (operation) => {
      const done = await operation(joined)
      const announce = announced.get(id)
      if (announce !== undefined && isChange(done)) await say(announce, tx, tenantId)
      return done
    }
    const open = watch(joined, { onChange, mayWrite: () => !isEnded(tenantId), tenantId, write, inside: () => open })
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

type Operation<T> = (collection: Collection<object>) => Promise<T>

interface Watching {
  readonly tenantId: string
  onChange(): void
  mayWrite(): boolean
  write<T>(operation: Operation<T>): Promise<T>
  inside(tx: Transaction): Collection<object>
}

/** A write that changed nothing is not reported. */
const isChange = (done: unknown): boolean => done !== undefined && done !== 0

function watch(inner: Collection<object>, { onChange: note, mayWrite, tenantId, write, inside }: Watching): Collection<object> {
  const reporting = <T>(operation: Operation<T>): Promise<T> => {
    const writing = write(operation)
    writing.then(
      (done) => {
        if (isChange(done)) note()
      },
      () => {},
    )
    return writing
  }
  const written = <T>(operation: Operation<T>): Promise<T> => (mayWrite() ? reporting(operation) : Promise.reject(tenantDeleted(tenantId)))
  return {
    get: (id) => inner.get(id),
    getMany: (ids) => inner.getMany(ids),
    find: (query) => inner.find(query),
    count: (where, options) => inner.count(where, options),
    group: (query) => inner.group(query),
    distinct: (field, where) => inner.distinct(field, where),
    search: (query) => inner.search(query),
    insert: (doc) => written((docs) => docs.insert(doc)),
    insertMany: (all) => written((docs) => docs.insertMany(all)),
    updateOne: (id, update, where) => written((docs) => docs.updateOne(id, update, where)),
    upsert: (doc, update) => written((docs) => docs.upsert(doc, update)),
    claim: (claim) => written((docs) => docs.claim(claim)),
    updateMany: (where, update) => written((docs) => docs.updateMany(where, update)),
    deleteOne: (id, where) => reporting((docs) => docs.deleteOne(id, where)),
    deleteMany: (where) => reporting((docs) => docs.deleteMany(where)),
    in: inside,
  }
}
