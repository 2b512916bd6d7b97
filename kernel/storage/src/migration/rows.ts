import type { CollectionRef } from '@gateway/sdk'
import { compareValues } from '../compare.ts'
import type { Doc } from '../documents.ts'

/** Place of a document: every store returns them in this order, the tenant first, both by code point. */
export interface Place {
  readonly tenant: string
  readonly id: string
}
export interface Row extends Place {
  readonly doc: Doc
}

/** A store's documents of all tenants, read while others write. */
export interface RowReader {
  /** Distinguishes this store from others; shows no password. */
  readonly identity: string
  collections(): Promise<readonly string[]>
  page(ref: Pick<CollectionRef, 'id' | 'key'>, after: Place | undefined, limit: number): Promise<readonly Row[]>
  close(): Promise<void>
}

const PAGE = 500

export async function* rowsOf(reader: RowReader, ref: CollectionRef, from: Place | undefined): AsyncGenerator<Row, undefined> {
  let after = from
  for (;;) {
    const page = await reader.page(ref, after, PAGE)
    yield* page
    after = page.at(-1)
    if (page.length < PAGE) return undefined
  }
}

export function comparePlaces(a: Place, b: Place): number {
  return compareValues(a.tenant, b.tenant) || compareValues(a.id, b.id)
}
