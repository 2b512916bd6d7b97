import { type CallContext, defineService } from '@gateway/sdk'
import { type DefinitionSet, type Folder, filesOf, type LeftOut, readFiles, revisionOf } from './folders.ts'

/** A change of a file is seen within this time of a request. */
const LOOK_MS = 2_000

export interface Loaded {
  readonly set: DefinitionSet
  readonly leftOut: readonly LeftOut[]
  readonly revision: string
}

/** The current folders in memory: reloaded when a file changes, and used to answer while the store cannot. */
export class Library {
  /** Revision that this process has written to the store. */
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
    // Callers that arrive during a reload get the present definitions.
    this.#looking.catch((error) => log.warn('the folders of definitions could not be read', { err: error }))
    return this.#loaded
  }

  /** Allows one writer at a time in this process; the others use its result. */
  async writeOnce(write: () => Promise<void>): Promise<void> {
    this.#writing ??= write().finally(() => (this.#writing = undefined))
    await this.#writing
  }

  async #look(log: CallContext['log']): Promise<Loaded> {
    const { files, missing, leftOut } = await filesOf(this.#folders)
    const stamp = [...missing, ...files.map((file) => file.stamp)].join('\n')
    this.#lookedAt = performance.now()
    if (this.#loaded && stamp === this.#stamp) return this.#loaded
    for (const folder of missing) log.warn('a folder of definitions does not exist', { folder })
    const { set, leftOut: faulty } = await readFiles(files)
    const all = [...leftOut, ...faulty]
    for (const { file, reason } of all) log.warn('a definition was left out', { file, reason })
    this.#stamp = stamp
    this.#loaded = { set, leftOut: all, revision: revisionOf(set) }
    return this.#loaded
  }
}

export const library = defineService<Library>('agents.library', 'process')
