import { type FSWatcher, statfsSync, watch } from 'node:fs'
import { join } from 'node:path'

/** File systems local to this machine, for which the kernel reports every change before the write returns. */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010])
const MAX_WATCHED = 20_000

/**
 * Tracks which folders have changed. On Linux a change is in the watcher's queue before the writer continues, so two turns of
 * the event loop are enough to know every change from before a question. On other systems, or when the machine has no more
 * watches, this is not `usable`, and everything is checked.
 */
export class Watches {
  readonly #root: string
  readonly #watched = new Map<string, FSWatcher>()
  readonly #changed = new Set<string>()
  usable: boolean

  constructor(root: string) {
    this.#root = root
    this.usable = process.platform === 'linux' && isLocal(root)
  }

  add(folder: string): void {
    if (!this.usable || this.#watched.has(folder)) return
    if (this.#watched.size >= MAX_WATCHED) return this.#giveUp()
    try {
      const watcher = watch(join(this.#root, folder), { persistent: false }, () => this.#changed.add(folder))
      watcher.on('error', () => this.#giveUp())
      this.#watched.set(folder, watcher)
    } catch {
      // No more watches, or the folder was removed meanwhile: then its parent has changed.
      this.#giveUp()
    }
  }

  remove(folder: string): void {
    this.#watched.get(folder)?.close()
    this.#watched.delete(folder)
  }

  /** Returns the folders that have changed since the last time. */
  async take(): Promise<readonly string[]> {
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed
  }

  close(): void {
    for (const watcher of this.#watched.values()) watcher.close()
    this.#watched.clear()
  }

  #giveUp(): void {
    this.usable = false
    this.close()
  }
}

function isLocal(root: string): boolean {
  try {
    return LOCAL.has(statfsSync(root).type >>> 0)
  } catch {
    return false
  }
}
