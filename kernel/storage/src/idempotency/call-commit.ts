import {
  type AnyRef,
  type Atomically,
  type Collection,
  type Emitter,
  isToolError,
  type TenantAdmin,
  type Transaction,
  tenantAdmin,
} from '@gateway/sdk'
import type { Store } from '../port.ts'
import { JoinedCollection, type Joining } from './joined-collection.ts'

/** Thrown if the transaction was lost after some of the call had run in it: the whole call has to run again. */
export class CommitLost extends Error {
  constructor() {
    super('The transaction of this call was lost and its changes were undone; the call runs again.')
  }
}

/** Longest time for which a call keeps its transaction open: others wait for it, in a shared store those that write the same documents. */
const MAX_HOLD_MS = 1_000
const MAX_HOLD_SHARED_MS = 10_000

/** The label with which a store of several processes marks an error after which the same transaction may run again. */
const TRANSIENT = 'TransientTransactionError'

function isTransient(error: unknown): boolean {
  const { hasErrorLabel } = (error ?? {}) as { hasErrorLabel?: (label: string) => boolean }
  return typeof hasErrorLabel === 'function' && hasErrorLabel.call(error, TRANSIENT)
}

/** The methods of `TenantAdmin` that change nothing. Any other counts as a write, which costs a call its single commit and nothing else. */
const READS_OF_TENANTS: ReadonlySet<PropertyKey> = new Set<keyof TenantAdmin>([
  'get',
  'list',
  'page',
  'isHeld',
  'listKeys',
  'standingKey',
  'ownerOfKey',
])

type AnyCollection = Collection<object>
type Operation<T> = (collection: AnyCollection) => Promise<T>
type State =
  /** Before the first write: there is no transaction, and reads go to the committed data. */
  | 'reading'
  /** The first unit of work runs in a transaction; further writes of the call wait for its end. */
  | 'opening'
  /** The transaction is open, and all that the call reads and writes is part of it. */
  | 'open'
  /** The transaction has ended or is being committed: further work goes straight to the store. */
  | 'direct'
  /** The call has ended, or its transaction was lost: it can write nothing more. */
  | 'ended'

/**
 * Joins all writes of one call into a single commit.
 *
 * 1. Until the first write, reads go to the committed data.
 * 2. The first write, or the first `atomically`, opens a transaction; what the call reads and writes from then on is part of it.
 * 3. `complete` adds the record of the call's key and commits.
 * 4. A call that waits for anything but the store would make all other writers wait. Its transaction is committed at once, with a
 *    reservation of the key, and the rest of the call writes on its own.
 * 5. Before a call changes anything outside of its tenant, which no transaction of the tenant can hold, its work so far is committed in
 *    the same way. Reading there changes nothing of the commit.
 * 6. An event that the call emits waits for the commit of the change that it reports; it is dropped if that is undone.
 *
 * If the first `atomically` fails, only its changes are undone and the call goes on without a transaction. A later one cannot be
 * undone alone: the commit is lost.
 */
export class CallCommit {
  readonly #run: Atomically
  readonly #maxHoldMs: number
  readonly #reserve: (tx: Transaction) => Promise<unknown>
  readonly #collections = new Map<AnyCollection, JoinedCollection>()
  #state: State = 'reading'
  #tx: Transaction | undefined
  /** Settles when the transaction has been committed or rolled back. */
  #done: Promise<void> | undefined
  #opening: Promise<unknown> | undefined
  /** Present while the work so far is committed ahead of the end of the call. */
  #committing: Promise<void> | undefined
  #end: ((failure?: Error) => void) | undefined
  #pending = 0
  #operations = 0
  /** Units of work that are running in the open transaction. */
  #units = 0
  #openedAt = 0
  #lost = false
  #conflicted = false
  #handedOver = false
  #refusal: Error | undefined
  readonly #outside: Joining = {
    read: (inner, operation) => this.#watched(() => operation(inner)),
    write: async (inner, operation) => {
      await this.commitBeforeOutsideEffect()
      return operation(inner)
    },
  }

  constructor(store: Pick<Store, 'atomically' | 'shared'>, tenantId: string, reserve: (tx: Transaction) => Promise<unknown>) {
    this.#run = store.atomically(tenantId)
    this.#maxHoldMs = store.shared ? MAX_HOLD_SHARED_MS : MAX_HOLD_MS
    this.#reserve = reserve
  }

  /** True if the changes of the call were undone without its doing: it has to run again. */
  get isLost(): boolean {
    return this.#lost
  }

  /** True if it was lost to a transaction of another process: run again, it meets what that one has written. */
  get isConflicted(): boolean {
    return this.#lost && this.#conflicted
  }

  /** True if some of the call was committed before its end. */
  get isHandedOver(): boolean {
    return this.#handedOver
  }

  /** The error with which the key could not be reserved; the call has changed nothing. */
  get refusal(): Error | undefined {
    return this.#refusal
  }

  join({ kind, id }: AnyRef, resolved: unknown): unknown {
    if (kind === 'kernel') return this.atomically
    if (kind === 'service' && id === tenantAdmin.id) return this.#ofTenants(resolved as object)
    if (kind === 'event') return { emit: (payload) => this.#emit(resolved as Emitter<unknown>, payload) } satisfies Emitter<unknown>
    if (kind !== 'collection') return resolved
    const inner = resolved as AnyCollection
    let joined = this.#collections.get(inner)
    if (joined === undefined) this.#collections.set(inner, (joined = new JoinedCollection(inner, this)))
    return joined
  }

  /** Wraps a collection of another tenant, or of none. */
  outsideTenant<Doc>(inner: Collection<Doc>): Collection<Doc> {
    return new JoinedCollection(inner, this.#outside) as Collection<Doc>
  }

  /** Commits the work so far with a reservation of the key, because the call is about to change something that the commit cannot hold. */
  async commitBeforeOutsideEffect(): Promise<void> {
    // A unit of work cannot be committed in its middle: the whole call runs again, with its key reserved from the start.
    if (this.#state === 'opening' || (this.#state === 'open' && this.#units > 0)) {
      this.#lost = true
      throw new CommitLost()
    }
    while (this.#refusal === undefined && this.#mustWait()) await this.#waited()
    if (this.#state === 'reading') {
      this.#state = 'direct'
      this.#handedOver = true
      this.#committing = this.#run(this.#reserve)
        .then(
          () => {},
          (error: unknown) => {
            this.#refusal = error as Error
            this.#state = 'ended'
          },
        )
        .finally(() => (this.#committing = undefined))
      await this.#committing
    } else if (this.#state === 'open') await this.#handOver()
    if (this.#refusal) throw this.#refusal
    if (this.#lost) throw new CommitLost()
  }

  readonly atomically: Atomically = async (work) => {
    while (this.#mustWait()) await this.#waited()
    if (this.#state === 'reading') return this.#open(work)
    const tx = this.#tx
    if (this.#state !== 'open' || tx === undefined) return this.#run(work)
    this.#units++
    try {
      return await this.#counted(() => work(tx))
    } catch (error) {
      this.#lose(error)
      throw error
    } finally {
      this.#units--
    }
  }

  async read<T>(inner: AnyCollection, operation: Operation<T>): Promise<T> {
    // The unit of work that opens the transaction may read outside of it.
    if (this.#state === 'reading' || this.#state === 'opening') return operation(inner)
    return this.#join(inner, operation)
  }

  async write<T>(inner: AnyCollection, operation: Operation<T>): Promise<T> {
    while (this.#mustWait()) await this.#waited()
    if (this.#state === 'reading') return this.#open((tx) => operation(inner.in(tx)))
    return this.#join(inner, operation)
  }

  /**
   * Adds the last change and commits. Returns false if some of the call was committed before; the caller then makes the last change.
   */
  async complete(last: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
    while (this.#mustWait()) await this.#waited()
    if (this.#state === 'reading') {
      this.#state = 'direct'
      await this.#run(last)
      return true
    }
    if (this.#state !== 'open') return false
    try {
      await this.#counted(() => last(this.#tx as Transaction))
    } catch (error) {
      await this.undo()
      throw error
    }
    this.#state = 'direct'
    this.#end?.()
    await this.#done
    return true
  }

  /** Undoes everything that is not committed. If nothing is, the rest of the call's work can write nothing more. */
  async undo(): Promise<void> {
    if (this.#state === 'opening') await this.#opening
    if (this.#state === 'direct') return
    const wasOpen = this.#state === 'open'
    this.#state = 'ended'
    if (!wasOpen) return
    this.#end?.(new CommitLost())
    await this.#done?.catch(() => {})
  }

  /** True while the transaction is being opened, or committed ahead of time; throws once the call has ended. */
  #mustWait(): boolean {
    if (this.#state === 'ended') throw new Error('This call has ended: it can write nothing more.')
    return this.#state === 'opening' || this.#committing !== undefined
  }

  async #waited(): Promise<void> {
    await (this.#committing ?? this.#opening)
  }

  async #join<T>(inner: AnyCollection, operation: Operation<T>): Promise<T> {
    while (this.#mustWait()) await this.#waited()
    if (this.#state === 'open' && performance.now() - this.#openedAt > this.#maxHoldMs) await this.#handOver()
    const tx = this.#tx
    return this.#state === 'open' && tx !== undefined ? this.#counted(() => operation(inner.in(tx))) : operation(inner)
  }

  /** A failure that no tool declares may have ended the transaction. */
  async #counted<T>(operation: () => Promise<T>): Promise<T> {
    this.#pending++
    this.#operations++
    try {
      return await operation()
    } catch (error) {
      if (!isToolError(error)) this.#lose(error)
      throw error
    } finally {
      this.#pending--
    }
  }

  /** A read outside of the transaction, during which the call still waits for nothing but the store. */
  async #watched<T>(operation: () => Promise<T>): Promise<T> {
    this.#pending++
    this.#operations++
    try {
      return await operation()
    } finally {
      this.#pending--
    }
  }

  #ofTenants(admin: object): object {
    return new Proxy(admin, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name, target)
        if (typeof method !== 'function') return method
        const call = (args: unknown[]): Promise<unknown> => Reflect.apply(method, target, args) as Promise<unknown>
        if (READS_OF_TENANTS.has(name)) return (...args: unknown[]) => this.#watched(() => call(args))
        return async (...args: unknown[]) => {
          await this.commitBeforeOutsideEffect()
          return call(args)
        }
      },
    })
  }

  #emit(emitter: Emitter<unknown>, payload: unknown): void {
    if (this.#committing !== undefined) void this.#committing.then(() => this.#emit(emitter, payload))
    else if (this.#state === 'open' && this.#tx !== undefined) this.#tx.afterCommit(() => emitter.emit(payload))
    else if (this.#state !== 'ended') emitter.emit(payload)
  }

  #lose(error: unknown): void {
    this.#lost = true
    if (isTransient(error)) this.#conflicted = true
  }

  /** Opens the transaction with the first unit of work in it; resolves when that is done, not when it is committed. */
  #open<T>(first: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#state = 'opening'
    let isOpen = false
    const opened = new Promise<T>((resolve, reject) => {
      this.#done = this.#run(async (tx) => {
        // A store that runs its work again cannot run the rest of the call again.
        if (isOpen) {
          this.#conflicted = true
          throw new CommitLost()
        }
        const result = await first(tx)
        isOpen = true
        this.#tx = tx
        this.#state = 'open'
        this.#openedAt = performance.now()
        this.#opening = undefined
        const ended = this.#untilEnd()
        resolve(result)
        await ended
      })
      this.#done.catch((error: unknown) => {
        this.#tx = undefined
        this.#opening = undefined
        if (isOpen) this.#lose(error)
        this.#state = isOpen ? 'ended' : 'reading'
        if (!isOpen) reject(error)
      })
    })
    this.#opening = opened.catch(() => {})
    return opened
  }

  /** Resolves at the end of the call, or as soon as it waits for something else than the store. */
  #untilEnd(): Promise<void> {
    return new Promise((resolve, reject) => {
      let seen = -1
      const look = (): void => {
        if (this.#pending > 0 || this.#operations !== seen) {
          seen = this.#operations
          watch = setImmediate(look)
        } else void this.#handOver()
      }
      let watch = setImmediate(look)
      this.#end = (failure) => {
        clearImmediate(watch)
        this.#end = undefined
        if (failure) reject(failure)
        else resolve()
      }
    })
  }

  /** Commits the work so far with a reservation of the key, or undoes it if the commit is lost. */
  #handOver(): Promise<void> {
    this.#state = 'direct'
    if (this.#lost) {
      this.#end?.(new CommitLost())
      this.#committing ??= Promise.resolve(this.#done)
        .catch(() => {})
        .finally(() => (this.#committing = undefined))
      return this.#committing
    }
    this.#handedOver = true
    this.#committing ??= this.#reserve(this.#tx as Transaction)
      .then(
        () => this.#end?.(),
        (error: unknown) => this.#end?.(error as Error),
      )
      .then(() => this.#done)
      .catch(() => {})
      .finally(() => (this.#committing = undefined))
    return this.#committing
  }
}
