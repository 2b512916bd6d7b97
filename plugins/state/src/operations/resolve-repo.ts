import type { RepoFolder, RepoFolders } from '@gateway/plugin-repos/api'
import { type CallContext, NotFound } from '@gateway/sdk'
import { repoName } from '../schema.ts'

/** A repo as a caller named it. Without a folder it is one whose documents lie in the store. */
export interface KnownRepo {
  readonly name: string
  readonly place?: RepoFolder
}

/** The repo of a tenant without files that is meant when none is named. */
export const MASTER = 'master'

/**
 * A repo whose files are asked for. The operator’s are those with a folder on this machine. Another tenant has whichever it names, in
 * the store; a folder names none, whether it is there or not.
 */
export async function repoWithFiles(
  repo: string | undefined,
  folders: RepoFolders,
  ctx: Pick<CallContext, 'tenantId'>,
): Promise<KnownRepo> {
  const place = repo === undefined ? await folders.master() : await folders.find(repo)
  if (place) return { name: place.name, place }
  const name = repo ?? MASTER
  if (ctx.tenantId === 'local' || !repoName.test(name)) throw NotFound({ what: 'repo', id: name })
  return { name }
}

/** A repo that is written about: any name will do, so that work elsewhere can be handed over as well. */
export async function repoToWriteOf(repo: string, folders: RepoFolders): Promise<KnownRepo> {
  const place = await folders.find(repo)
  if (place) return { name: place.name, place }
  if (!repoName.test(repo)) throw NotFound({ what: 'repo', id: repo })
  return { name: repo }
}
