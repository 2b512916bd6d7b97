import { isAbsolute } from 'node:path'
import type { CallContext, Resolved } from '@gateway/sdk'
import { roster } from '../collections.ts'
import { type KnownRepo, merge } from '../rules/health.ts'
import { operatorFiles, seesFiles } from '../services/operator-files.ts'
import { allEntries } from './entries.ts'

export const knownReposUses = { roster, files: operatorFiles }

/** Returns both lists merged, by name, with the folder if the caller may look into it. */
export async function knownRepos(
  { roster, files }: Resolved<typeof knownReposUses>,
  ctx: CallContext,
): Promise<(KnownRepo & { readonly folder?: string })[]> {
  const entries = await allEntries(roster)
  const sees = seesFiles(ctx)
  const known = merge((sees ? await files.list.read() : []) ?? [], entries)
  return known.map((repo) => ({ ...repo, ...(sees && repo.path !== undefined && isAbsolute(repo.path) && { folder: repo.path }) }))
}
