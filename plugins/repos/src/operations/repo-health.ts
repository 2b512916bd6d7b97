import type { CallContext, Resolved } from '@gateway/sdk'
import { type Health, healthOf, type KnownRepo } from '../rules/health.ts'
import type { Compliance } from '../schema.ts'
import { knownRepos, type knownReposUses } from './known-repos.ts'

type Row = KnownRepo & { readonly health: Health } & Partial<Compliance>

/** Returns every repo of both lists with its health, by name. */
export async function repoHealth(refs: Resolved<typeof knownReposUses>, ctx: CallContext): Promise<readonly Row[]> {
  const known = await knownRepos(refs, ctx)
  const folders = known.flatMap(({ folder }) => (folder === undefined ? [] : [folder]))
  const checked = await refs.files.checks.ofAll(folders)
  const byFolder = new Map(folders.map((folder, at) => [folder, checked[at]]))
  return known.map(({ folder, ...repo }) => {
    const flags = folder === undefined ? undefined : byFolder.get(folder)
    return { ...repo, health: healthOf(flags), ...flags }
  })
}
