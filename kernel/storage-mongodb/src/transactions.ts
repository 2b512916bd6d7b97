import type { Atomically, Transaction } from '@gateway/sdk'
import { OpenTransaction } from '@gateway/storage'
import { type ClientSession, type MongoClient, MongoServerSelectionError } from 'mongodb'
import { contended, storeError } from './errors.ts'
import type { Running } from './running.ts'
import { type Scope, TransactionScope } from './scope.ts'

interface Parts {
  readonly client: MongoClient
  readonly flavour: { readonly transactions: boolean }
  readonly answerLimitMs: number
}

/** Several changes as one, and which collections take part in them. */
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
          // The work may run again: what counts is the run that was committed, the last.
          committed = tx
          return work(tx)
        }),
      )
      committed?.committed()
      return result
    }
  }

  /** Where a collection of this tenant runs to take part. */
  scopeIn(tx: Transaction, tenant: string): Scope {
    const open = this.#open.get(tx)
    if (!open) throw new Error('This is no transaction of this store.')
    if (open.tenant !== tenant) throw new Error('A transaction reaches only the collections of its own tenant.')
    return open.scope
  }

  /** Again from its beginning when another transaction was in the way; without transactions in the server, once and as it comes. */
  async whole<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    const { client, flavour, answerLimitMs } = this.#parts
    const until = performance.now() + answerLimitMs
    let failure: unknown
    const once = async (session: ClientSession | undefined): Promise<T> => {
      // The driver would begin again for two minutes, long after its caller was answered and has perhaps asked again.
      if (performance.now() >= until) throw contended(failure)
      const scope = new TransactionScope(session, this.#now(), answerLimitMs)
      try {
        return await work(scope)
      } catch (error) {
        failure = error
        // Nor is a server that is not there waited for again; one wait is what a caller is promised.
        throw error instanceof MongoServerSelectionError ? storeError(error) : error
      } finally {
        scope.end()
      }
    }
    if (!flavour.transactions) return once(undefined)
    return client.withSession((session) => session.withTransaction(() => once(session)))
  }
}
