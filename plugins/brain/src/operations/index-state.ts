import type { Git, Repository } from '@gateway/plugin-git/api'
import type { DoctorScene } from '@gateway/sdk'
import { atoms, branches } from '../collections.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { readAtomPath } from '../rules/paths.ts'
import { LAYOUT } from './apply.ts'

/**
 * `fits`; `behind`: for another commit than main, so that the next call catches up; `unfit`: for main's commit, with other
 * atoms; `lost`: for a repository that does not exist; `elsewhere`: for one that is not here, since this one lacks its commit.
 */
export interface BrainState {
  readonly tenantId: string
  readonly state: 'fits' | 'behind' | 'unfit' | 'lost' | 'elsewhere'
  /** Atoms that main has and the index lacks, and the other way round. */
  readonly missing: number
  readonly gone: number
}
const AT_ONCE = 1_000
/** Maps the path of an atom to its blob. */
type Atoms = Map<string, string>

/** Compares the index of main of each tenant with its repository. Changes made meanwhile count as behind. */
export async function* indexStates(git: Git, scene: DoctorScene): AsyncIterable<BrainState> {
  const before = await indexedTips(scene)
  for await (const [tenantId, indexed] of indexedAtoms(scene, before.keys())) {
    const tip = before.get(tenantId)
    const repo = git.brain(tenantId)
    if (!(await repo.exists())) yield { tenantId, state: 'lost', missing: 0, gone: indexed.size }
    else if (tip && (await repo.commit(tip)) === undefined) yield { tenantId, state: 'elsewhere', missing: 0, gone: indexed.size }
    else if ((await repo.tips([refOf(MAIN)]))[0] !== tip || tip === undefined) yield { tenantId, state: 'behind', missing: 0, gone: 0 }
    else yield { tenantId, ...compare(await atomsAt(repo, tip), indexed) }
  }
}

/** Returns the commit up to which main is indexed; '' for a layout that is rebuilt anyway. */
async function indexedTips(scene: DoctorScene): Promise<ReadonlyMap<string, string>> {
  const tips = new Map<string, string>()
  for await (const { tenantId, document } of scene.documents(branches))
    if (document.branch === MAIN) tips.set(tenantId, document.layout === LAYOUT ? document.tip : '')
  return tips
}

/** Yields tenant by tenant, including those without an atom. */
async function* indexedAtoms(scene: DoctorScene, tenants: Iterable<string>): AsyncIterable<readonly [string, Atoms]> {
  const left = new Set(tenants)
  let open: readonly [string, Atoms] | undefined
  for await (const { tenantId, document } of scene.documents(atoms)) {
    if (open && open[0] !== tenantId) yield open
    if (open?.[0] !== tenantId) open = [tenantId, new Map()]
    left.delete(tenantId)
    if (document.branch === MAIN) open[1].set(document.path, document.blob)
  }
  if (open) yield open
  for (const tenantId of left) yield [tenantId, new Map()]
}

async function atomsAt(repo: Repository, to: string): Promise<Atoms> {
  const paths = new Set<string>()
  for await (const commits of repo.history({ to }))
    for (const { path } of commits.flatMap(({ changes }) => changes)) if (readAtomPath(path)) paths.add(path)
  const all = [...paths]
  const stored: Atoms = new Map()
  for (let at = 0; at < all.length; at += AT_ONCE)
    for (const [n, blob] of (await repo.entries(to, all.slice(at, at + AT_ONCE))).entries())
      if (blob !== undefined) stored.set(all[at + n] as string, blob)
  return stored
}

function compare(stored: Atoms, indexed: Atoms): Omit<BrainState, 'tenantId'> {
  const missing = [...stored].filter(([path, blob]) => indexed.get(path) !== blob).length
  const gone = [...indexed.keys()].filter((path) => !stored.has(path)).length
  return { state: missing + gone === 0 ? 'fits' : 'unfit', missing, gone }
}
