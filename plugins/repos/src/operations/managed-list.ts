import { type BigIntStats, constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@gateway/sdk'
import { ManagedReposInvalid } from '../errors.ts'
import { type ManagedRepo, parseManagedRepos, withRepos } from '../rules/managed-entries.ts'
import { isSettled, stampOf } from './stamp.ts'
import { writeAtomically } from './write-atomically.ts'

export const LIST_FILE = 'managed-repos.json'
const MAX_BYTES = 4 * 1024 * 1024

interface Content {
  readonly repos: readonly ManagedRepo[]
  readonly raw: readonly object[]
}

/**
 * The operator's list of repos, `managed-repos.json` in the root. People and other programs edit it too, so it is checked for
 * each call, and read again when it has changed. A link is refused: replacing the file would cut it off.
 */
export class ManagedList {
  readonly file: string
  #known: (Content & { readonly stamp: string }) | undefined
  #turn: Promise<unknown> = Promise.resolve()

  readonly #now: () => number

  /** `now` is the clock of the files: never the store’s. */
  constructor(root: string, now: () => number = Date.now) {
    this.file = join(root, LIST_FILE)
    this.#now = now
  }

  /** Returns `undefined` when the file does not exist. */
  async read(): Promise<readonly ManagedRepo[] | undefined> {
    return (await this.#content())?.repos
  }

  /**
   * Adds these repos to the list, each replacing the entry of its name. Only one writer at a time reads, changes and replaces the
   * file.
   */
  upsert(repos: readonly ManagedRepo[]): Promise<void> {
    const written = this.#turn.then(async () => {
      const before = (await this.#content())?.raw
      const after = withRepos(before ?? [], repos)
      if (before && JSON.stringify(after) === JSON.stringify(before)) return
      await writeAtomically(this.file, `${JSON.stringify(after, null, 2)}\n`)
      this.#known = undefined
    })
    // The next one does not fail because this one did.
    this.#turn = written.catch(() => undefined)
    return written
  }

  async #content(): Promise<Content | undefined> {
    const lookedAt = this.#now()
    const stats = await lstat(this.file, { bigint: true }).catch(missing)
    if (!stats) {
      this.#known = undefined
      return undefined
    }
    if (this.#known?.stamp === stampOf(stats)) return this.#known
    const content = this.#parse(await this.#text(stats))
    this.#known = isSettled(stats, lookedAt) ? { ...content, stamp: stampOf(stats) } : undefined
    return content
  }

  async #text(stats: BigIntStats): Promise<string> {
    if (stats.isSymbolicLink()) throw this.#invalid('it is a symbolic link; put the file itself there')
    // Checked before it is opened: opening a pipe waits for its other end.
    if (!stats.isFile()) throw this.#invalid('it is no file')
    if (stats.size > MAX_BYTES) throw this.#invalid(`it has ${stats.size} bytes; at most ${MAX_BYTES} are read`)
    const handle = await open(this.file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  }

  #parse(text: string): Content {
    const parsed = parseManagedRepos(text)
    if ('fault' in parsed) throw this.#invalid(parsed.fault, parsed.place)
    return parsed
  }

  #invalid(fault: string, place?: string): Error {
    return ManagedReposInvalid({ file: this.file, fault, ...defined({ place }) })
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}
