import type { CollectionRef } from '@gateway/sdk'
import { badField, type Declaration, type Doc, declarationOf } from '@gateway/storage'
import type { SqlValue } from './driver.ts'
import { SqlCache } from './sql-cache.ts'

/**
 * Layout of a collection in SQLite:
 *
 *  "<id>" pk, tenant, id, doc (the document as JSON text), and one column "_<field>" for each indexed field "<id>:text" the
 * words of the text fields, one FTS5 row per document, under the same pk
 *
 * Indexed fields are real columns that this adapter fills, not indexes on `json_extract(doc, …)`: SQLite rewrites every
 * expression index whenever `doc` changes, which is at every update; an UPDATE that sets only the changed columns leaves the
 * other indexes alone. That halves the cost of an update.
 */
export interface Table extends Declaration {
  /** Quoted names. */
  readonly name: string
  readonly textName: string
  /** Selects the row of a tenant's document. */
  readonly byId: string
  /** Indexed fields (without the key) and their quoted columns. */
  readonly columns: ReadonlyMap<string, string>
  /** The statement that adds a row: tenant, id, document, then the columns in their order. */
  readonly insert: string
  /** Statements built so far: by the shape and order of what they select, and by the columns they set. */
  readonly selects: SqlCache
  readonly updates: SqlCache
  /** True if words were written since the text index was last tidied; unknown before the first time. */
  readonly texts: { changed: boolean }
  /** Fields whose 0 and 1 are false and true. */
  readonly booleans: ReadonlySet<string>
}

/** Throws on a declaration that cannot be stored. */
export function tableOf(ref: CollectionRef): Table {
  const declared = declarationOf(ref)
  const { id, key, indexes } = declared
  const indexed = new Set(indexes.flatMap((index) => [...index.keys.map(({ field }) => field), ...(index.present ? [index.present] : [])]))
  indexed.delete(key)
  const columns = new Map([...indexed].map((name) => [name, `"_${name}"`]))
  const filled = ['tenant', 'id', 'doc', ...columns.values()]
  return {
    ...declared,
    name: `"${id}"`,
    textName: `"${id}:text"`,
    columns,
    byId: `select pk, doc from "${id}" where tenant = ? and id = ?`,
    insert: `insert into "${id}" (${filled.join(', ')}) values (${filled.map(() => '?').join(', ')})`,
    selects: new SqlCache(),
    updates: new SqlCache(),
    texts: { changed: true },
    booleans: booleansOf(ref),
  }
}

/** The columns of the text index. Prepared words carry their tenant themselves. */
export function textColumns({ text, weights }: Pick<Table, 'text' | 'weights'>): readonly string[] {
  return [...(weights ? [] : ['tenant_word']), ...text.map((field) => `text_${field}`)]
}

/** The view of a text index of prepared words that gives the number of documents per word. */
export function termsName({ id }: Pick<Table, 'id'>): string {
  return `"${id}:text_terms"`
}

/** Expression for a field's value in a row. The caller has checked the name. */
export function fieldSql(table: Table, field: string): string {
  if (field === table.key) return 'id'
  return table.columns.get(field) ?? `json_extract(doc, '$."${field}"')`
}

/** A bound text ends at its first NUL, and would equal its own prefix. */
const textValue = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)

/** A positive number below this is bound as 0 by one of two drivers, so both do, and a file means the same under each. */
const numberValue = (number: number): number => (number > 0 && number < Number.EPSILON ? 0 : number)

/**
 * A value as SQLite compares it; equal to the result of `json_extract`, except for text with a NUL and for tiny positive numbers.
 */
export function columnValue(value: unknown): SqlValue {
  switch (typeof value) {
    case 'string':
      return textValue(value)
    case 'number':
      return Number.isFinite(value) ? numberValue(value) : null
    case 'boolean':
      return value ? 1 : 0
    case 'object':
      return value === null ? null : JSON.stringify(value)
    default:
      return null
  }
}

/** An id as the caller gave it, for `byId`. */
export function idValue(table: Table, id: unknown): string {
  if (typeof id !== 'string') throw badField(table.key, `expected an id, a string; got ${JSON.stringify(id)}`)
  return textValue(id)
}

export function fieldValue(doc: Doc, field: string): SqlValue {
  return Object.hasOwn(doc, field) ? columnValue(doc[field]) : null
}

function booleansOf(ref: CollectionRef): ReadonlySet<string> {
  const properties = (ref.schema as { properties?: Readonly<Record<string, { type?: unknown }>> }).properties ?? {}
  return new Set(Object.keys(properties).filter((name) => properties[name]?.type === 'boolean'))
}
