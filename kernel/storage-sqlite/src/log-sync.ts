import { closeSync, fdatasync, openSync } from 'node:fs'

/**
 * Syncs the write-ahead log of a database to the disk, in the runtime's thread pool: SQLite's own sync at a commit would block
 * the event loop, and everyone on it, for as long as the disk takes. SQLite holds no lock through this file, so closing it
 * releases none.
 */
export class LogSync {
  readonly #path: string
  #handle: number | undefined

  constructor(database: string) {
    this.#path = `${database}-wal`
  }

  /** Resolves when all earlier commits are durable; rejects if that is not certain. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handle ??= openSync(this.#path, 'r+')
      fdatasync(this.#handle, (error) => (error ? reject(error) : resolve()))
    })
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }
}
