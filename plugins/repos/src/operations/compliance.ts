import type { BigIntStats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BoundedMap, mapConcurrently } from '@gateway/sdk/bounds'
import type { Compliance } from '../schema.ts'
import { isSettled, stampOf } from './stamp.ts'

export const FRAMEWORK_FOLDER = '.gateway'
const AT_ONCE = 16
const MAX_KNOWN = 10_000

const GONE: Compliance = { exists: false, isGitRepo: false, hasFramework: false, hasStateAndHandoff: false }

/**
 * Checks the folders of repos. A change of a folder's contents changes its stamp, so an unchanged repo costs two looks, and is
 * not searched again. A repo's own folder may be reached over a link. Its contents came from others, so links inside it are
 * ignored.
 */
export class ComplianceChecks {
  readonly #known = new BoundedMap<string, { readonly stamp: string; readonly flags: Compliance }>(MAX_KNOWN)
  readonly #now: () => number

  /** The clock of the files, never the store's. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  ofAll(paths: readonly string[]): Promise<Compliance[]> {
    return mapConcurrently(paths, AT_ONCE, (path) => this.of(path))
  }

  async of(path: string): Promise<Compliance> {
    const lookedAt = this.#now()
    const folder = await stat(path, { bigint: true }).catch(() => undefined)
    if (!folder?.isDirectory()) {
      this.#known.delete(path)
      return GONE
    }
    const framework = await look(join(path, FRAMEWORK_FOLDER))
    const stamp = `${stampOf(folder)} ${framework ? stampOf(framework) : ''}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.flags
    const flags = await search(path, framework)
    if (isSettled(folder, lookedAt) && (!framework || isSettled(framework, lookedAt))) this.#known.set(path, { stamp, flags })
    else this.#known.delete(path)
    return flags
  }
}

async function search(path: string, framework: BigIntStats | undefined): Promise<Compliance> {
  const hasFramework = framework?.isDirectory() ?? false
  // A file, not a folder, in a linked work tree.
  const git = await look(join(path, '.git'))
  const isGitRepo = git !== undefined && (git.isDirectory() || git.isFile())
  const isFile = async (name: string): Promise<boolean> => (await look(join(path, FRAMEWORK_FOLDER, name)))?.isFile() ?? false
  const hasStateAndHandoff = hasFramework && (await isFile('STATE.md')) && (await isFile('HANDOFF.md'))
  return { exists: true, isGitRepo, hasFramework, hasStateAndHandoff }
}

/** Does not follow a link. An entry that cannot be read counts as missing. */
function look(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined)
}
