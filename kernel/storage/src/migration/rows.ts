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
  /** The documents behind a place, in order and in pages of a few hundred, none of them empty. */
  pages(ref: ReadRef, after: Place | undefined): AsyncIterable<readonly Row[]>
  close(): Promise<void>
}
type ReadRef = Pick<CollectionRef, 'id' | 'key'>

/** Number of documents of a page. */
export const ROWS_PER_PAGE = 500

export async function* rowsOf(reader: RowReader, ref: ReadRef, from: Place | undefined): AsyncGenerator<Row, undefined> {
  for await (const page of reader.pages(ref, from)) yield* page
  return undefined
}

/** The first document of a collection, if it has any. */
export async function firstRow(reader: RowReader, ref: ReadRef): Promise<Row | undefined> {
  for await (const row of rowsOf(reader, ref, undefined)) return row
  return undefined
}

export function comparePlaces(a: Place, b: Place): number {
  return compareValues(a.tenant, b.tenant) || compareValues(a.id, b.id)
}
