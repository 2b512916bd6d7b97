import type { RepoResolver, ResolvedRepo } from '@gateway/plugin-repos/api'

/** Where the files of a repo lie. */
export interface Place {
  readonly name: string
  readonly folder: string
}
/** A repo as a caller named it. Without a place its documents lie in the store. */
export interface KnownRepo extends Pick<ResolvedRepo, 'name' | 'hint'> {
  readonly place?: Place
}

/** The repo that is meant, registered or not, so that work in any repo can be noted and handed over; the master repo when none is named. */
export async function repoOf(repo: string | undefined, resolver: RepoResolver): Promise<KnownRepo> {
  const { name, folder, hint } = await resolver.resolve({ repo })
  return { name, ...(folder !== undefined && { place: { name, folder } }), ...(hint !== undefined && { hint }) }
}
