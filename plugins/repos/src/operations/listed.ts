import type { CallContext, Resolved } from '@gateway/sdk'
import { roster } from '../collections.ts'
import { type KnownRepo, merge } from '../rules/health.ts'
import type { ManagedRepo } from '../rules/managed-entries.ts'
import { type OperatorFiles, operatorFiles, seesFiles } from '../services/operator-files.ts'

export const someReposUses = { roster, files: operatorFiles }

/** Repos of the operator's list; none if the file is missing or invalid, which the tools of repos report. */
export async function listedRepos(files: OperatorFiles): Promise<readonly ManagedRepo[]> {
  return (await files.list.read().catch(() => undefined)) ?? []
}

/** Returns the first repos of both lists, by name; for callers that need no complete list and must not fail because of the file. */
export async function someRepos(
  { roster, files }: Resolved<typeof someReposUses>,
  ctx: Pick<CallContext, 'tenantId'>,
  limit: number,
): Promise<readonly KnownRepo[]> {
  const { items } = await roster.find({ sort: { name: 1 }, limit })
  return merge(seesFiles(ctx) ? await listedRepos(files) : [], items).slice(0, limit)
}
