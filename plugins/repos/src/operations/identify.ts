import { createHash } from 'node:crypto'
import { lstat, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Collection, defined, NotFound } from '@gateway/sdk'
import type { RepoFolder, RepoFolders } from '../api.ts'
import { namesFor, type ReadClue } from '../rules/clue.ts'
import { remoteKey } from '../rules/remote.ts'
import type { RemoteName, StoredEntry } from '../schema.ts'
import type { GitFolders } from './git-folders.ts'
import { nameForRemote } from './remote-names.ts'

/** A repo of the managed list or the roster. */
export interface Registered {
  readonly name: string
  readonly isMaster: boolean
  /** Its folder in the managed list; such a folder carries the framework’s files. */
  readonly managed?: RepoFolder
  readonly entry?: StoredEntry
}
export interface Identity {
  /** The registered name, otherwise a free one. */
  readonly name: string
  readonly registered?: Registered
  /** The main work tree of the clone that the clue is about. */
  readonly root?: string
}
interface Refs {
  readonly roster: Collection<StoredEntry>
  readonly remotes: Collection<RemoteName>
  readonly folders: Pick<RepoFolders, 'all'>
  /** Present only if the caller may look at this machine's folders. */
  readonly git: GitFolders | undefined
  /** See `Purpose`. */
  readonly stores: boolean
}

/** Maximum number of entries with one remote that are compared, and of managed folders whose git configuration is read. */
const MAX_ALIKE = 20
const MAX_READ = 2_000

/** Finds the repo of a clue: by its git remote, then by its folder, then by its name. One instance serves one call. */
export class Identification {
  readonly #refs: Refs
  #managed: Promise<readonly RepoFolder[]> | undefined

  constructor(refs: Refs) {
    this.#refs = refs
  }

  /**
   * Throws NOT_FOUND for a folder of this machine that is neither registered nor a git repo, and for a text that is not a valid repo
   * name.
   */
  async of(clue: ReadClue): Promise<Identity> {
    const { git } = this.#refs
    const clone = clue.root === undefined ? undefined : await git?.of(clue.root)
    const root = clone?.main ?? clue.root
    const roots = [...new Set([clue.root, root])].filter((one) => one !== undefined)
    const key = clue.key ?? clone?.remoteKey
    const whole = { ...clue, ...defined({ root, key }) }
    // A folder that is named explicitly says more than the remote that is read from it.
    const registered =
      (clue.key === undefined ? await this.#byPath(roots.slice(0, 1), undefined) : undefined) ??
      (await this.#byRemote(whole, roots)) ??
      (await this.#byPath(roots, key))
    if (registered) return { name: registered.name, registered, ...defined({ root }) }
    if (clue.name === undefined && clue.key === undefined && !clone && (await this.#isHere(root)))
      throw NotFound({ what: 'repo', id: clue.asked ?? '' })
    return { ...(await this.#byName(whole, roots)), ...defined({ root }) }
  }

  async #byRemote({ key, name }: ReadClue, roots: readonly string[]): Promise<Registered | undefined> {
    if (key === undefined) return undefined
    const entries = await this.#refs.roster.find({ where: { remoteKey: key }, limit: MAX_ALIKE })
    const managed = await this.#all()
    const listed = managed.filter(({ gitRemote }) => gitRemote !== undefined && remoteKey(gitRemote) === key)
    const names = [...listed.map((one) => one.name), ...entries.items.map((one) => one.name)]
    if (names.length === 0) names.push(...(await this.#byFolderRemote(key)))
    const found = await Promise.all([...new Set(names)].map((one) => this.#withRemote(one, key)))
    const alike = found.filter((one) => one !== undefined)
    // The remote may be the folder of a registered repo, from which this one was cloned.
    if (alike.length === 0 && key.startsWith('file:')) return this.#byPath([key.slice('file:'.length)], undefined)
    const isHere = (one: Registered): boolean => roots.includes(pathOf(one) ?? '')
    return alike.find(isHere) ?? alike.find((one) => one.name === name) ?? alike[0]
  }

  /** The managed list may give the name to another remote than the roster does; it is right then. */
  async #withRemote(name: string, key: string): Promise<Registered | undefined> {
    const found = await this.named(name)
    const listed = found?.managed?.gitRemote
    return listed === undefined || remoteKey(listed) === key ? found : undefined
  }

  async #byFolderRemote(key: string): Promise<string[]> {
    const unlisted = (await this.#all()).filter(({ gitRemote }) => gitRemote === undefined).slice(0, MAX_READ)
    const keys = (await this.#refs.git?.remoteKeys(unlisted.map(({ folder }) => folder))) ?? []
    return unlisted.flatMap(({ name }, at) => (keys[at] === key ? [name] : []))
  }

  /** Entries that have another remote than `key` are other repos, in a folder of the same name on another machine. */
  async #byPath(roots: readonly string[], key: string | undefined): Promise<Registered | undefined> {
    if (roots.length === 0) return undefined
    const managed = (await this.#all()).find(({ folder }) => roots.includes(folder))
    const written = roots.flatMap((root) => [root, `${root}/`])
    const entries = managed ? [] : (await this.#refs.roster.find({ where: { path: { in: written } }, limit: MAX_ALIKE })).items
    for (const name of managed ? [managed.name] : entries.map((entry) => entry.name)) {
      const found = await this.named(name)
      const other = found && (await this.keyOf(found))
      if (found && (key === undefined || other === undefined || other === key)) return found
    }
    return managed ? undefined : this.#byRealPath(roots)
  }

  /** A managed folder may be reached over a link. */
  async #byRealPath(roots: readonly string[]): Promise<Registered | undefined> {
    if (!this.#refs.git) return undefined
    const real = (path: string): Promise<string> => realpath(path).catch(() => path)
    const wanted = new Set(await Promise.all(roots.map(real)))
    const managed = (await this.#all()).slice(0, MAX_READ)
    const at = (await Promise.all(managed.map(({ folder }) => real(folder)))).findIndex((folder) => wanted.has(folder))
    const name = managed[at]?.name
    return name === undefined ? undefined : this.named(name)
  }

  async #byName(clue: ReadClue, roots: readonly string[]): Promise<Identity> {
    const digest = createHash('sha256')
      .update(clue.key ?? clue.root ?? '')
      .digest('hex')
    const names = namesFor(clue, digest)
    if (names.length === 0) throw NotFound({ what: 'repo', id: clue.asked ?? '' })
    const isFree = async (name: string): Promise<boolean> => {
      const registered = await this.named(name)
      return !registered || this.#mayBe(registered, clue.key, roots)
    }
    const name =
      clue.key === undefined ? await firstOf(names, isFree) : await nameForRemote({ remoteKey: clue.key, names, isFree }, this.#refs)
    if (name === undefined) throw NotFound({ what: 'repo', id: clue.asked ?? '' })
    return { name, ...defined({ registered: await this.named(name) }) }
  }

  /** Only a caller that may look at this machine's folders finds one here. */
  async #isHere(folder: string | undefined): Promise<boolean> {
    if (folder === undefined || !this.#refs.git) return false
    return (await lstat(folder).catch(() => undefined)) !== undefined
  }

  /** A clone cannot be the repo that has its name when both have a remote, or a folder, and these differ. */
  async #mayBe(registered: Registered, key: string | undefined, roots: readonly string[]): Promise<boolean> {
    if (key === undefined && roots.length === 0) return true
    const other = await this.keyOf(registered)
    if (key !== undefined && other !== undefined) return key === other
    const path = pathOf(registered)
    if (roots.length === 0 || path === undefined) return true
    return key !== undefined && (await this.#refs.git?.of(path)) === undefined
  }

  /** Key of a registered repo's remote, from its registration or its folder. */
  async keyOf({ managed, entry }: Registered): Promise<string | undefined> {
    const written = managed?.gitRemote ?? entry?.gitRemote
    if (written !== undefined) return remoteKey(written) ?? written
    const path = managed?.folder ?? entry?.path
    return path === undefined ? undefined : (await this.#refs.git?.of(path))?.remoteKey
  }

  async named(name: string): Promise<Registered | undefined> {
    const managed = (await this.#all()).find((one) => one.name === name)
    const entry = await this.#refs.roster.get(name)
    return managed || entry ? { name, isMaster: managed?.isMaster ?? false, ...defined({ managed, entry }) } : undefined
  }

  #all(): Promise<readonly RepoFolder[]> {
    this.#managed ??= this.#refs.folders.all()
    return this.#managed
  }
}

async function firstOf(names: readonly string[], isFree: (name: string) => Promise<boolean>): Promise<string | undefined> {
  for (const name of names) if (await isFree(name)) return name
  return undefined
}

export function pathOf({ managed, entry }: Registered): string | undefined {
  return managed?.folder ?? (entry?.path === undefined ? undefined : resolve(entry.path))
}
