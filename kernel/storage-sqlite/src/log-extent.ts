import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

/** Positions of the two salts in the header of a write-ahead log; they change whenever SQLite restarts the log. */
const SALTS = { start: 16, length: 8 }
/** Interval of the notes. A cut that takes less than the writes of this time stays unknown. */
const EVERY_MS = 1_000

interface Extent {
  readonly salts: string
  readonly bytes: number
}

/**
 * Size of the write-ahead log, recorded in a file beside it about once a second. SQLite takes a truncated log for one that a
 * killed process left, and drops its end silently; this record shows that acknowledged writes are missing.
 */
export class LogExtent {
  readonly #log: string
  readonly #note: string
  #notedAt = Number.NEGATIVE_INFINITY
  #writing = false

  constructor(database: string) {
    this.#log = `${database}-wal`
    this.#note = `${database}-wal.extent`
  }

  /**
   * Notes the present size, at most once a second. Called after a sync of the log; a note that cannot be written is left out. Resolves
   * when the note is written.
   */
  async note(): Promise<void> {
    const now = performance.now()
    if (this.#writing || now - this.#notedAt < EVERY_MS) return
    const extent = extentOf(this.#log)
    if (!extent) return
    this.#notedAt = now
    this.#writing = true
    await writeFile(this.#note, `${JSON.stringify(extent)}\n`, { mode: 0o600 }).catch(() => undefined)
    this.#writing = false
  }

  /** The loss, in words, if the log is shorter than it was. Called before SQLite opens the database. */
  loss(): string | undefined {
    const [noted, now] = [this.#read(), extentOf(this.#log)]
    if (!noted || !now || noted.salts !== now.salts || now.bytes >= noted.bytes) return undefined
    return (
      `The write-ahead log ${this.#log} has ${now.bytes} bytes; it had ${noted.bytes} when this gateway last ran. ` +
      'Acknowledged writes at its end are lost. Compare the store with the audit trail, or restore the last `gateway backup`.'
    )
  }

  /** Removes the note of a log that is now in the database. */
  forget(): void {
    rmSync(this.#note, { force: true })
  }

  #read(): Extent | undefined {
    try {
      const { salts, bytes } = JSON.parse(readFileSync(this.#note, 'utf8')) as Partial<Extent>
      return typeof salts === 'string' && typeof bytes === 'number' ? { salts, bytes } : undefined
    } catch {
      return undefined
    }
  }
}

function extentOf(log: string): Extent | undefined {
  const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (bytes === 0) return undefined
  const salts = Buffer.alloc(SALTS.length)
  const file = openSync(log, 'r')
  try {
    return readSync(file, salts, 0, SALTS.length, SALTS.start) === SALTS.length ? { salts: salts.toString('hex'), bytes } : undefined
  } finally {
    closeSync(file)
  }
}
