import { type Collection, type CollectionRef, isToolError } from '@gateway/sdk'
import type { Doc } from '../documents.ts'
import type { FillableStore } from '../port.ts'
import type { Row } from './rows.ts'

/** Number of documents that are written together. */
const MAX_TOGETHER = 200
/** Size of their text: what is held in memory and sent at a time. */
const MAX_TEXT = 4_000_000
/** Number of concurrent writes of documents that are not new. */
const CONCURRENCY = 16

/** The writes that make a target's collection equal to its source: new documents together, others one by one. */
export class Corrections {
  readonly #writer: FillableStore
  readonly #ref: CollectionRef
  #missing: Row[] = []
  #missingText = 0
  #others: (() => Promise<void>)[] = []
  /** Rows that have a unique value of another document of the target. */
  readonly #refused: Row[] = []

  constructor(writer: FillableStore, ref: CollectionRef) {
    this.#writer = writer
    this.#ref = ref
  }

  /** The target gets `source` in place of `target`, either of which may be missing. */
  add(source: Row | undefined, target: Row | undefined): void {
    if (source && target) this.#others.push(() => this.#replace(source))
    else if (target) this.#others.push(() => this.#remove(target))
    else if (source) {
      this.#missing.push(source)
      this.#missingText += JSON.stringify(source.doc).length
    }
  }

  get isFull(): boolean {
    return this.#missing.length + this.#others.length >= MAX_TOGETHER || this.#missingText >= MAX_TEXT
  }

  /** True if a document waits for a unique value that another one still has. */
  get areWaiting(): boolean {
    return this.#refused.length > 0
  }

  async write(): Promise<void> {
    await this.#each(this.#others)
    // A document may be there already: a process that was killed had sent it to the server.
    const refused = await this.#writer.fill(this.#ref, this.#missing)
    await this.#each(refused.map((row) => () => this.#replace(row)))
    this.#others = []
    this.#missing = []
    this.#missingText = 0
  }

  /** Writes what is left. The unique value of each refused document was held by another, which has its own by now. */
  async end(): Promise<void> {
    await this.write()
    for (const row of this.#refused.splice(0)) {
      await this.#insert(row)
      if (this.areWaiting) throw new Error(`${this.#ref.id}: ${row.id} takes a unique value that another document has; run again`)
    }
  }

  async #each(writes: readonly (() => Promise<void>)[]): Promise<void> {
    const queue = writes.values()
    const worker = async (): Promise<void> => {
      for (const one of queue) await one()
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  }

  async #insert(row: Row): Promise<void> {
    try {
      await this.#collection(row).insert(row.doc)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      this.#refused.push(row)
    }
  }

  /** The document is deleted first, because the store's changes do not take one as it is. */
  async #replace(row: Row): Promise<void> {
    await this.#remove(row)
    await this.#insert(row)
  }

  async #remove(row: Row): Promise<void> {
    await this.#collection(row).deleteOne(row.id)
  }

  #collection({ tenant }: Row): Collection<Doc> {
    return this.#writer.collection<Doc>(this.#ref, tenant)
  }
}

function isDuplicate(error: unknown): boolean {
  return isToolError(error) && error.code === 'DUPLICATE_KEY'
}
