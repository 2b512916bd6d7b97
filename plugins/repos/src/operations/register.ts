import { resolve } from 'node:path'
import { type Atomically, atomically, type Resolved, textTest } from '@gateway/sdk'
import { roster } from '../collections.ts'
import { NAME, PATH } from '../schema.ts'
import { operatorFiles } from '../services/operator-files.ts'
import type { FoundRepo } from './scan.ts'

export const registerUses = { roster, files: operatorFiles, atomically }
type Refs = Resolved<typeof registerUses>

/**
 * Writes the result of a scan to the roster, then to the list of managed repos. Writing it twice changes nothing, so a scan that
 * was killed in between is repeated. Returns, by path, the reason why a repo was left out: a name belongs to one existing folder.
 */
export async function register(refs: Refs, found: readonly FoundRepo[]): Promise<ReadonlyMap<string, string>> {
  const folders = await knownFolders(refs, found)
  const left = new Map<string, string>()
  const fit: FoundRepo[] = []
  for (const repo of found) {
    const reason = await obstacle(refs, repo, folders.get(repo.name))
    if (reason === undefined) {
      folders.set(repo.name, repo.path)
      fit.push(repo)
    } else left.set(repo.path, reason)
  }
  await writeRoster(refs, fit)
  await refs.files.list.upsert(fit.map(({ name, path }) => ({ name, path })))
  return left
}

/** Returns the folder of each name: in the operator's list, else in the roster. */
async function knownFolders({ roster, files }: Refs, found: readonly FoundRepo[]): Promise<Map<string, string>> {
  const names = [...new Set(found.map(({ name }) => name))]
  const entries = names.length === 0 ? [] : await roster.getMany(names)
  const folders = new Map(entries.flatMap(({ name, path }) => (path === undefined ? [] : [[name, path] as const])))
  for (const { name, path } of (await files.list.read()) ?? []) folders.set(name, path)
  return folders
}

async function obstacle({ files }: Refs, { name, path }: FoundRepo, known: string | undefined): Promise<string | undefined> {
  if (!nameFits(name) || !pathFits(path)) return 'its name or path has characters that a repo may not have'
  if (known === undefined || resolve(known) === path || !(await files.checks.of(known)).exists) return undefined
  return `its name belongs to ${known}`
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
