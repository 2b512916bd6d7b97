import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { BoundedMap, mapConcurrently } from '@gateway/sdk/bounds'
import { identifyingRemote, remotesIn } from '../rules/git-config.ts'
import { remoteKey } from '../rules/remote.ts'
import { isSettled, stampOf } from './stamp.ts'

export interface GitFolder {
  /** The main work tree; for a linked one, the folder it was made from. */
  readonly main: string
  /** See `remoteKey`; absent when it has no remote that another clone could have. */
  readonly remoteKey?: string
}
const MAX_BYTES = 64 * 1_024
const MAX_KNOWN = 10_000
const AT_ONCE = 16

/** Finds the repo of a work tree in git’s own files, without starting git. Configurations are cached until they change. */
export class GitFolders {
  readonly #known = new BoundedMap<string, { readonly stamp: string; readonly key: string | undefined }>(MAX_KNOWN)

  /** Returns `undefined` for a folder that is not a work tree. A link in place of `.git` is ignored. */
  async of(folder: string): Promise<GitFolder | undefined> {
    const dotGit = join(folder, '.git')
    const stats = await lstat(dotGit).catch(() => undefined)
    if (stats?.isDirectory()) return this.#described(folder, dotGit)
    const [, target] = stats?.isFile() ? (/^gitdir: (.+?)\s*$/.exec((await read(dotGit)) ?? '') ?? []) : []
    if (target === undefined) return undefined
    const own = resolve(folder, target)
    const common = (await read(join(own, 'commondir')))?.trim()
    const shared = common === undefined ? own : resolve(own, common)
    return this.#described(basename(shared) === '.git' ? dirname(shared) : folder, shared)
  }

  /** Returns the keys of the remotes of these folders, in their order. */
  remoteKeys(folders: readonly string[]): Promise<(string | undefined)[]> {
    return mapConcurrently(folders, AT_ONCE, async (folder) => (await this.of(folder))?.remoteKey)
  }

  async #described(main: string, gitFolder: string): Promise<GitFolder> {
    const key = await this.#remoteKey(join(gitFolder, 'config'))
    return { main, ...(key !== undefined && { remoteKey: key }) }
  }

  async #remoteKey(config: string): Promise<string | undefined> {
    const lookedAt = Date.now()
    const stats = await lstat(config, { bigint: true }).catch(() => undefined)
    if (!stats?.isFile()) return undefined
    const stamp = stampOf(stats)
    const known = this.#known.get(config)
    if (known?.stamp === stamp) return known.key
    const remote = identifyingRemote(remotesIn((await read(config)) ?? ''))
    const key = remote === undefined ? undefined : remoteKey(remote)
    if (isSettled(stats, lookedAt)) this.#known.set(config, { stamp, key })
    return key
  }
}

async function read(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  try {
    const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)) ?? {}
    return buffer?.toString('utf8', 0, bytesRead)
  } catch {
    return undefined
  } finally {
    await handle?.close()
  }
}
