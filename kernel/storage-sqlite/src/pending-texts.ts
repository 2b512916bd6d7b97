import type { SqlValue } from './driver.ts'
import { markedText } from './prepared-text.ts'
import { type Table, textColumns } from './table.ts'

interface Writer {
  do(sql: string, params: readonly SqlValue[]): unknown
}
interface Texts {
  readonly tenant: string
  readonly texts: readonly string[]
}
interface Pending {
  /** True if the index has words of the row from before. */
  readonly exists: boolean
  /** Words that it must have; absent if the row is gone. The next row under its key may belong to another tenant. */
  now: Texts | undefined
}

/** Bounded, because their texts are held in memory. */
const MAX_ROWS = 1_000

/**
 * Words of rows that a group has changed, on their way to the text index. FTS5 collects writes in memory as long as rows come
 * in rising order; a lower row makes it write everything as another segment of the index, and segments are what merging and
 * searching cost. So words wait for the end of the group and are written in order, each row once. Reading or emptying a text
 * index on the writing connection, and beginning a savepoint, writes them first.
 */
export class PendingTexts {
  readonly #tables = new Map<Table, Map<number, Pending>>()
  #rows = 0
  /** Writes without waiting, so that a unit that meets a damaged page is identified. */
  atOnce = false
  #isWriting = false

  /** True if pending words were being written when something failed, so that their owner is unknown. */
  get isCutOff(): boolean {
    return this.#isWriting
  }

  /** `now` is undefined if the row's words are removed. */
  add(db: Writer, table: Table, pk: number, now: Texts | undefined): void {
    const rows = this.#of(table)
    const known = rows.get(pk)
    if (known) known.now = now
    else {
      rows.set(pk, { exists: now === undefined, now })
      this.#rows++
    }
    table.texts.changed = true
    if (this.atOnce || this.#rows >= MAX_ROWS) this.write(db)
  }

  write(db: Writer): void {
    if (this.#rows === 0) return
    this.#isWriting = !this.atOnce
    for (const [table, rows] of this.#tables) {
      const columns = ['rowid', ...textColumns(table).map((column) => `"${column}"`)]
      const insert = `insert into ${table.textName} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      const remove = `delete from ${table.textName} where rowid = ?`
      for (const [pk, { exists, now }] of [...rows].sort(([a], [b]) => a - b)) {
        if (exists) db.do(remove, [pk])
        if (now) db.do(insert, [pk, ...indexed(table, now)])
      }
    }
    this.forget()
  }

  /** Their writes were rolled back. */
  forget(): void {
    this.#isWriting = false
    this.#tables.clear()
    this.#rows = 0
  }

  #of(table: Table): Map<number, Pending> {
    const known = this.#tables.get(table)
    if (known) return known
    const rows = new Map<number, Pending>()
    this.#tables.set(table, rows)
    return rows
  }
}

function indexed(table: Table, { tenant, texts }: Texts): readonly SqlValue[] {
  return table.weights ? texts.map((text) => markedText(tenant, text)) : [tenantWord(tenant), ...texts]
}

/** The tenant as one word of the text index, whatever characters it has, so that a search can ask for it as for a word. */
export function tenantWord(tenant: string): string {
  return `t${Buffer.from(tenant).toString('hex')}`
}
