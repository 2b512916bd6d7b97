import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

interface Slot {
  readonly handle: Promise<FileHandle>
  users: number
  discarded: boolean
}

/**
 * Files open for appending, at most `limit` at a time; the least recently used one is closed for the next. Callers keep fewer
 * than `limit` uses under way, so that an idle one can always be closed.
 */
export class HandlePool {
  // In order of use, least recent first: a Map keeps insertion order, and a use inserts again.
  readonly #slots = new Map<string, Slot>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  async use<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const slot = this.#slot(path)
    slot.users++
    try {
      return await work(await slot.handle)
    } finally {
      slot.users--
      if (slot.discarded) await closeIdle(slot)
    }
  }

  /** The next use opens the file again, because after a failure the state of the old handle is unknown. */
  async discard(path: string): Promise<void> {
    const slot = this.#slots.get(path)
    if (!slot) return
    this.#slots.delete(path)
    slot.discarded = true
    await closeIdle(slot)
  }

  /** For a folder whose files are removed: writes to an open one would be lost. */
  async discardIn(folder: string): Promise<void> {
    await Promise.all([...this.#slots.keys()].filter((path) => dirname(path) === folder).map((path) => this.discard(path)))
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#slots.keys()].map((path) => this.discard(path)))
  }

  #slot(path: string): Slot {
    const known = this.#slots.get(path)
    const slot = known ?? { handle: this.#open(path), users: 0, discarded: false }
    this.#slots.delete(path)
    this.#slots.set(path, slot)
    return slot
  }

  async #open(path: string): Promise<FileHandle> {
    if (this.#slots.size >= this.#limit) await this.#discardIdle()
    return open(path, 'a', 0o600)
  }

  async #discardIdle(): Promise<void> {
    for (const [path, { users }] of this.#slots) if (users === 0) return this.discard(path)
  }
}

async function closeIdle(slot: Slot): Promise<void> {
  if (slot.users > 0) return
  const handle = await slot.handle.catch(() => undefined)
  await handle?.close()
}
