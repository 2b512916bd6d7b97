import type { Connection } from './connection.ts'
import type { HeavyWork } from './heavy.ts'
import type { Writer } from './writer.ts'

/** Frames of the write-ahead log that make a checkpoint worthwhile: 24 MiB. */
const ENOUGH_FRAMES = 6_000
/** Few enough that writers can wait for them: 1 MiB. */
const FEW_FRAMES = 256
/** Each pass takes what was written during the last one; if they do not get ahead, the disk is too busy to make anyone wait. */
const MAX_PASSES = 4
/** Commits between two checks of the log, because one costs about 6 µs. */
const LOOK_EVERY = 8

/**
 * Checkpoints the write-ahead log in a thread. SQLite would do it during a commit, on the event loop, and everyone would wait
 * for the disk.
 *
 * SQLite restarts the log when all of it is in the database, which never happens under steady writing: it would grow to its
 * bound, and appending to a file costs twice as much as overwriting it. So the writers wait for the last few frames.
 */
export class Checkpoints {
  readonly #db: Connection
  readonly #writer: Writer
  readonly #heavy: HeavyWork
  readonly #failed: (error: unknown) => void
  readonly #enough: number
  #sinceLook = 0
  #underWay: Promise<void> | undefined
  #stopped = false

  constructor(db: Connection, writer: Writer, heavy: HeavyWork, failed: (error: unknown) => void, enough = ENOUGH_FRAMES) {
    this.#db = db
    this.#writer = writer
    this.#heavy = heavy
    this.#failed = failed
    this.#enough = enough
  }

  committed(): void {
    this.#sinceLook += 1
    if (this.#sinceLook < LOOK_EVERY || this.#underWay) return
    this.#sinceLook = 0
    this.#underWay = this.#checkpointIfLong()
      .catch(this.#failed)
      .finally(() => {
        this.#underWay = undefined
      })
  }

  /** Present while a checkpoint runs: resolves when it has ended, whether it failed or not. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay
  }

  stop(): void {
    this.#stopped = true
  }

  async #checkpointIfLong(): Promise<void> {
    if (this.#left() >= this.#enough) await this.#checkpointAll()
  }

  async #checkpointAll(): Promise<void> {
    for (let pass = 0; pass < MAX_PASSES && !this.#stopped; pass += 1) {
      if (this.#left() <= FEW_FRAMES) return this.#writer.between(() => this.#restart())
      await this.#heavy.checkpoint('passive')
    }
  }

  /** Not while the thread has reads to do: the writers would wait for them. */
  async #restart(): Promise<void> {
    if (this.#heavy.idle && !this.#stopped) await this.#heavy.checkpoint('restart')
  }

  /** Frames that are not in the database yet. */
  #left(): number {
    const { log, checkpointed } = this.#db.get('pragma wal_checkpoint(noop)') as { log: number; checkpointed: number }
    return log - checkpointed
  }
}
