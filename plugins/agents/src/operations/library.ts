import { type CallContext, defineService } from '@gateway/sdk'
import { type DefinitionSet, type Folder, filesOf, type LeftOut, readFiles, revisionOf } from './folders.ts'

/** A change of a file is seen within this time of its being asked for. */
const LOOK_MS = 2_000

export interface Loaded {
  readonly set: DefinitionSet
  readonly leftOut: readonly LeftOut[]
  readonly revision: string
}

/** The folders as they are, in memory: followed when a file changes, and what answers while the store cannot. */
export class Library {
  /** What of it this process has written to the store. */
  storedRevision: string | undefined
  readonly #folders: readonly Folder[]
  #loaded: Loaded | undefined
  #stamp = ''
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<Loaded> | undefined
  #writing: Promise<void> | undefined

  constructor(folders: readonly Folder[]) {
    this.#folders = folders
  }

  async current(log: CallContext['log']): Promise<Loaded> {
    if (this.#loaded && performance.now() - this.#lookedAt < LOOK_MS) return this.#loaded
    this.#looking ??= this.#look(log).finally(() => (this.#looking = undefined))
    if (!this.#loaded) return this.#looking
    // What is known serves those who come meanwhile.
    this.#looking.catch((error) => log.warn('the folders of definitions could not be read', { err: error }))
    return this.#loaded
  }

  /** One writer at a time in this process; the others have what it wrote. */
  async writeOnce(write: () => Promise<void>): Promise<void> {
    this.#writing ??= write().finally(() => (this.#writing = undefined))
    await this.#writing
  }

  async #look(log: CallContext['log']): Promise<Loaded> {
    const { files, missing, leftOut } = await filesOf(this.#folders)
    const stamp = [...missing, ...files.map((file) => file.stamp)].join('\n')
    this.#lookedAt = performance.now()
    if (this.#loaded && stamp === this.#stamp) return this.#loaded
    for (const folder of missing) log.warn('a folder of definitions is not there', { folder })
    const { set, leftOut: faulty } = await readFiles(files)
    const all = [...leftOut, ...faulty]
    for (const { file, reason } of all) log.warn('a definition was left out', { file, reason })
    this.#stamp = stamp
    this.#loaded = { set, leftOut: all, revision: revisionOf(set) }
    return this.#loaded
  }
}

export const library = defineService<Library>('agents.library', 'process')
