import { type Collection, defined, isToolError, NotFound } from '@gateway/sdk'
import type { RepoFolder, RepoFolders } from '../api.ts'
import { ManagedReposInvalid } from '../errors.ts'
import { isRepoName } from '../rules/clue.ts'
import { isAliasOf, keysOf } from '../rules/hosted.ts'
import type { RemoteName, StoredEntry } from '../schema.ts'
import type { GitFolders } from './git-folders.ts'
import { Identification } from './identify.ts'

interface Refs {
  readonly roster: Collection<StoredEntry>
  readonly remotes: Collection<RemoteName>
  readonly folders: RepoFolders
  readonly git: GitFolders | undefined
}
interface Hosted {
  /** Name that the code host gives it. */
  readonly name: string
  readonly remotes: readonly string[]
}
const MAX_KEPT = 20

/** The names that a hosted repo has in records, the current one first; none if it tells no remote, or no valid name. */
export async function hostedNames(refs: Refs, { name, remotes }: Hosted, stores: boolean): Promise<readonly string[]> {
  const keys = keysOf(remotes)
  if (keys.length === 0) return []
  // An event must not be lost because the file is invalid, which the tools of repos report.
  const known = { ...refs, folders: { all: () => refs.folders.all().catch(noneOfInvalid) } }
  const kept = (await refs.remotes.find({ where: { remoteKey: { in: keys } }, limit: MAX_KEPT })).items
  const looking = new Identification({ ...known, stores: false })
  const current = await nameNow()
  if (current === undefined) return []
  const others: string[] = []
  for (const other of new Set([name, ...kept.map((one) => one.name)])) if (other !== current && (await isFree(other))) others.push(other)
  return [current, ...others]

  async function nameNow(): Promise<string | undefined> {
    const plain = isRepoName(name) ? { name } : {}
    const registered = await looking.named(name)
    const ofName = registered && (await looking.keyOf(registered))
    if (ofName !== undefined && !keys.includes(ofName) && keys.some((key) => isAliasOf(ofName, key))) return name
    try {
      for (const key of keys.length > 1 ? keys : []) {
        const found = (await looking.of({ ...plain, key, asked: name })).registered
        if (found && (await looking.keyOf(found)) === key) return found.name
      }
      const [key] = [...kept.map((one) => one.remoteKey), ...keys]
      const found = await new Identification({ ...known, stores }).of({ ...plain, ...defined({ key }), asked: name })
      // A tenant keeps a limited number of names for remotes. Beyond it, a repo that is registered by name alone still gets its events.
      const isOfName = found.registered === undefined && registered !== undefined && ofName === undefined && kept.length === 0
      return isOfName && found.name !== name && (await refs.remotes.get(name)) === undefined ? name : found.name
    } catch (error) {
      if (isToolError(error) && error.code === NotFound.code) return undefined
      throw error
    }
  }

  /** True for a name that is not registered, and that no other remote has. */
  async function isFree(other: string): Promise<boolean> {
    const owner = (await refs.remotes.get(other))?.remoteKey
    return (owner === undefined || keys.includes(owner)) && (await looking.named(other)) === undefined
  }
}

function noneOfInvalid(error: unknown): readonly RepoFolder[] {
  if (isToolError(error) && error.code === ManagedReposInvalid.code) return []
  throw error
}
