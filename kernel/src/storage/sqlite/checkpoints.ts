import type { Connection } from './connection.ts'
import type { HeavyWork } from './heavy.ts'

/** Frames of the write-ahead log worth bringing into the database: 8 MiB. */
const ENOUGH_FRAMES = 2_000
/** Writes between two looks at the log; a commit counts for some of them, because it writes whole pages. */
const LOOK_EVERY = 1_000
const COMMIT_COUNTS = 10

/**
 * Brings the write-ahead log into the database in a thread. Left to SQLite, a commit does it now and then, on the event
 * loop, and everyone waits for the disk.
 */
export class Checkpoints {
  readonly #db: Connection
  readonly #heavy: HeavyWork
  readonly #failed: (error: unknown) => void
  #sinceLook = 0
  #running = false

  constructor(db: Connection, heavy: HeavyWork, failed: (error: unknown) => void) {
    this.#db = db
    this.#heavy = heavy
    this.#failed = failed
  }

  committed(writes: number): void {
    this.#sinceLook += COMMIT_COUNTS + writes
    if (this.#sinceLook < LOOK_EVERY || this.#running) return
    this.#sinceLook = 0
    const { log, checkpointed } = this.#db.get('pragma wal_checkpoint(noop)') as { log: number; checkpointed: number }
    if (log - checkpointed < ENOUGH_FRAMES) return
    this.#running = true
    this.#heavy
      .checkpoint()
      .catch(this.#failed)
      .finally(() => {
        this.#running = false
      })
  }
}
