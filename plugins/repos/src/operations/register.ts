import { resolve } from 'node:path'
import { type Atomically, atomically, type Resolved, textTest } from '@gateway/sdk'
import { remoteNames, roster } from '../collections.ts'
import { remoteKey } from '../rules/remote.ts'
import { NAME, PATH } from '../schema.ts'
import { operatorFiles } from '../services/operator-files.ts'
import type { FoundRepo } from './scan.ts'

export const registerUses = { roster, remotes: remoteNames, files: operatorFiles, atomically }
type Refs = Resolved<typeof registerUses>

interface Known {
  readonly path?: string | undefined
  /** See `remoteKey`: of the registered repo, else of the remote that keeps the name. */
  readonly remote?: string | undefined
  readonly registered: boolean
}

/**
 * Writes the result of a scan to the roster, then to the list of managed repos. Writing it twice changes nothing, so a scan that
 * was killed in between is repeated. Returns, by path, the reason why a repo was left out: a name belongs to one existing folder, and
 * to one remote.
 */
export async function register(refs: Refs, found: readonly FoundRepo[]): Promise<ReadonlyMap<string, string>> {
  const known = await knownNames(refs, found)
  const left = new Map<string, string>()
  const fit: FoundRepo[] = []
  for (const repo of found) {
    const reason = await obstacle(refs, repo, known.get(repo.name))
    if (reason === undefined) {
      known.set(repo.name, { path: repo.path, registered: true })
      fit.push(repo)
    } else left.set(repo.path, reason)
  }
  await writeRoster(refs, fit)
  await refs.files.list.upsert(fit.map(({ name, path }) => ({ name, path })))
  return left
}

/** Returns the folder and the remote of each name: in the operator's list, else in the roster, else of the remote that keeps the name. */
async function knownNames({ roster, remotes, files }: Refs, found: readonly FoundRepo[]): Promise<Map<string, Known>> {
  const names = [...new Set(found.map(({ name }) => name))]
  const [kept, entries] = names.length === 0 ? [[], []] : await Promise.all([remotes.getMany(names), roster.getMany(names)])
  const known = new Map<string, Known>(kept.map(({ name, remoteKey }) => [name, { remote: remoteKey, registered: false }]))
  for (const { name, path, remoteKey } of entries) known.set(name, { path, remote: remoteKey ?? known.get(name)?.remote, registered: true })
  for (const { name, path, gitRemote } of (await files.list.read()) ?? []) {
    const remote = gitRemote === undefined ? known.get(name)?.remote : remoteKey(gitRemote)
    known.set(name, { path, remote, registered: true })
  }
  return known
}

async function obstacle({ files }: Refs, { name, path }: FoundRepo, known: Known | undefined): Promise<string | undefined> {
  if (!nameFits(name) || !pathFits(path)) return 'its name or path has characters that a repo may not have'
  if (known === undefined || (known.path !== undefined && resolve(known.path) === path)) return undefined
  if (known.path !== undefined && (await files.checks.of(known.path)).exists) return `its name belongs to ${known.path}`
  if (known.remote === undefined) return undefined
  const own = (await files.git.of(path))?.remoteKey
  // A folder without a remote may be the registered repo. It is not the one of a remote that keeps the name.
  return own === known.remote || (own === undefined && known.registered) ? undefined : `its name belongs to the remote ${known.remote}`
}
const nameFits = textTest(NAME)
const pathFits = textTest(PATH)

function writeRoster(
  { roster, atomically }: { roster: Refs['roster']; atomically: Atomically },
  repos: readonly FoundRepo[],
): Promise<void> {
  return atomically(async (tx) => {
    const at = tx.now.toISOString()
    for (const { name, path, stack } of repos) {
      const seen = { path, stack: [...stack], updatedAt: at }
      await roster.in(tx).upsert({ name, ...seen, source: 'scan', enabled: true, createdAt: at }, { set: seen })
    }
  })
}
