import { CachedFile } from './cached-file.ts'
import type { LogRecord } from './log.ts'
import { type Random, upTo } from './random.ts'

/**
 * A disk that loses power. It receives the log record by record, and at any point returns a state that could be found on it.
 *
 * - File contents: data written before the beginning of a completed sync of that file is present. Of everything later,
 *   each 512-byte sector independently holds the state after any number of the writes that touched it, so writes are
 *   lost, torn and reordered; or, as often, all of a file's unsynced writes are present, or none.
 * - Length: as of the last sync or as after any later write or truncation; sectors that were not written read as zeros.
 * - Names (create, mkdir, rename, unlink): present after a completed sync of their folder, and with them all earlier ones; of the
 *   later ones a random first part, as a journal keeps them. A sync of the file alone does not keep its name: this is
 *   the promise of POSIX, and less than most file systems do.
 * - Shared-memory files (`-shm`) are gone.
 */
export class Disk {
  readonly #files = new Map<bigint, CachedFile>()
  readonly #folders = new Set<bigint>()
  #durableNames: Names = new Map()
  /** Changes of names since the last sync of the folder, oldest first. */
  #nameChanges: { readonly at: number; readonly change: (names: Names) => void }[] = []
  #at = 0

  apply(record: LogRecord): void {
    const at = this.#at++
    switch (record.kind) {
      case 'create':
        this.#create(at, record.file, record.path)
        break
      case 'open':
        if (!this.#files.has(record.file)) this.#folders.add(record.file)
        break
      case 'write':
        this.#file(record.file).write(at, record.offset, record.data)
        break
      case 'truncate':
        this.#file(record.file).truncate(at, record.length)
        break
      case 'sync-end':
        if (this.#folders.has(record.file)) this.#keepNames(record.begin)
        else this.#file(record.file).sync(record.begin)
        break
      case 'rename':
        this.#nameChanges.push({ at, change: (names) => move(names, record.path, record.to) })
        break
      case 'unlink':
        this.#nameChanges.push({ at, change: (names) => void names.delete(record.path) })
        break
      case 'mkdir':
        this.#nameChanges.push({ at, change: (names) => void names.set(record.path, 'folder') })
    }
  }

  /** Returns folders and files in a possible state after a power cut now. */
  afterPowerCut(random: Random): Image {
    return this.#image(upTo(random, this.#nameChanges.length + 1), (file) => file.afterPowerCut(random))
  }

  /** Returns folders and files as the running process sees them. */
  asWritten(): Image {
    return this.#image(this.#nameChanges.length, (file) => file.asWritten())
  }

  #create(at: number, inode: bigint, path: string): void {
    const file = new CachedFile()
    this.#files.set(inode, file)
    this.#nameChanges.push({ at, change: (names) => void names.set(path, file) })
  }

  #file(inode: bigint): CachedFile {
    const file = this.#files.get(inode)
    if (!file) throw new Error(`inode ${inode} was used and never created: the folder was not empty at first`)
    return file
  }

  #keepNames(before: number): void {
    for (const { at, change } of this.#nameChanges) if (at < before) change(this.#durableNames)
    this.#nameChanges = this.#nameChanges.filter(({ at }) => at >= before)
  }

  #image(changes: number, content: (file: CachedFile) => Buffer): Image {
    const names = new Map(this.#durableNames)
    for (const { change } of this.#nameChanges.slice(0, changes)) change(names)
    const folders: string[] = []
    const files = new Map<string, Buffer>()
    for (const [path, named] of names) {
      if (named === 'folder') folders.push(path)
      else if (!path.endsWith('-shm')) files.set(path, content(named))
    }
    return { folders, files }
  }
}

type Names = Map<string, CachedFile | 'folder'>

export interface Image {
  readonly folders: readonly string[]
  readonly files: ReadonlyMap<string, Buffer>
}

function move(names: Names, from: string, to: string): void {
  const moved = names.get(from)
  names.delete(from)
  if (moved) names.set(to, moved)
}
