import type { Purpose, RepoResolver, ResolvedRepo } from '@gateway/plugin-repos/api'

/** A repo whose files are in a folder of this machine. */
export interface Place {
  readonly name: string
  readonly folder: string
}
/** A resolved repo. Without a place its documents are in the store. */
export interface KnownRepo extends Pick<ResolvedRepo, 'name' | 'hint'> {
  readonly place?: Place
}

/** Resolves a repo, registered or not, so that work in any repo can be noted and handed over. The default is the master repo. */
export async function repoOf(repo: string | undefined, resolver: RepoResolver, purpose?: Purpose): Promise<KnownRepo> {
  const { name, folder, hint } = await resolver.resolve({ repo }, purpose)
  return { name, ...(folder !== undefined && { place: { name, folder } }), ...(hint !== undefined && { hint }) }
}
