import type { Atomically, Transaction } from '@gateway/sdk'
import { KERNEL_TENANT, OpenTransaction } from '@gateway/storage'
import { type ClientSession, type MongoClient, MongoServerSelectionError } from 'mongodb'
import { contended, storeError } from './errors.ts'
import type { Running } from './running.ts'
import { type Scope, TransactionScope } from './scope.ts'

interface Parts {
  readonly client: MongoClient
  readonly answerLimitMs: number
}

/** Runs several changes as one, and tracks the collections that take part. */
export class Transactions {
  readonly #parts: Parts
  readonly #running: Running
  readonly #now: () => number
  readonly #open = new WeakMap<Transaction, { readonly tenant: string; readonly scope: Scope }>()

  constructor(parts: Parts, running: Running, now: () => number) {
    this.#parts = parts
    this.#running = running
    this.#now = now
  }

  of(tenant: string): Atomically {
    return async (work) => {
      let committed: OpenTransaction | undefined
      const result = await this.#running.run(() =>
        this.whole(async (scope) => {
          const tx = new OpenTransaction(new Date(scope.now()))
          this.#open.set(tx, { tenant, scope })
          // The work may run again; only the last run is committed.
          committed = tx
          return work(tx)
        }),
      )
      committed?.committed()
      return result
    }
  }

  scopeIn(tx: Transaction, tenant: string): Scope {
    const open = this.#open.get(tx)
    if (!open) throw new Error('The transaction does not belong to this store.')
    if (open.tenant !== tenant && tenant !== KERNEL_TENANT)
      throw new Error('A transaction can only access the collections of its own tenant.')
    return open.scope
  }

  /** Restarts from the beginning when another transaction conflicts. */
  async whole<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    const { client, answerLimitMs } = this.#parts
    const until = performance.now() + answerLimitMs
    let failure: unknown
    const once = async (session: ClientSession): Promise<T> => {
      // The driver would retry for two minutes, long after its caller was answered and perhaps asked again.
      if (performance.now() >= until) throw contended(failure)
      const scope = new TransactionScope(session, this.#now(), answerLimitMs)
      try {
        return await work(scope)
      } catch (error) {
        failure = error
        // A missing server is not awaited again, because a caller is promised one wait.
        throw error instanceof MongoServerSelectionError ? storeError(error) : error
      } finally {
        scope.end()
      }
    }
    return client.withSession((session) => session.withTransaction(() => once(session)))
  }
}
