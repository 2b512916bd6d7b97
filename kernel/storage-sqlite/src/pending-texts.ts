import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { markedText } from './prepared-text.ts'
import { type Table, textColumns } from './table.ts'

interface Texts {
  readonly tenant: string
  readonly texts: readonly string[]
}
interface Pending {
  /** Whether the index has words of the row from before. */
  readonly isThere: boolean
  /** What it is to have; nothing when the row has gone. The next row under its key may be of another tenant. */
  now: Texts | undefined
}

/** Their texts are held in memory. */
const MAX_ROWS = 1_000

/**
 * Words of rows that a group has changed, on their way to the text index. FTS5 collects what is written in memory as long as rows come in
 * rising order; one that comes before the last makes it write all it has as one more part of the index, and parts are what merging and
 * searching cost. So they wait for the end of the group and go in order, each row once. What reads or empties a text index on the
 * connection that writes, and what begins a savepoint, writes them first.
 */
export class PendingTexts {
  readonly #tables = new Map<Table, Map<number, Pending>>()
  #rows = 0
  /** Nothing waits: so that a unit that meets a damaged page is known. */
  atOnce = false
  #isWriting = false

  /** Whether words that waited were being written when something failed: whose they are, nobody knows. */
  get isCutOff(): boolean {
    return this.#isWriting
  }

  /** `now` is undefined when what the row had goes. */
  add(db: Connection, table: Table, pk: number, now: Texts | undefined): void {
    const rows = this.#of(table)
    const known = rows.get(pk)
    if (known) known.now = now
    else {
      rows.set(pk, { isThere: now === undefined, now })
      this.#rows++
    }
    table.texts.changed = true
    if (this.atOnce || this.#rows >= MAX_ROWS) this.write(db)
  }

  write(db: Connection): void {
    if (this.#rows === 0) return
    this.#isWriting = !this.atOnce
    for (const [table, rows] of this.#tables) {
      const columns = ['rowid', ...textColumns(table).map((column) => `"${column}"`)]
      const insert = `insert into ${table.textName} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      const remove = `delete from ${table.textName} where rowid = ?`
      for (const [pk, { isThere, now }] of [...rows].sort(([a], [b]) => a - b)) {
        if (isThere) db.do(remove, [pk])
        if (now) db.do(insert, [pk, ...indexed(table, now)])
      }
    }
    this.forget()
  }

  /** What they belong to was rolled back. */
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
