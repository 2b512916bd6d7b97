import type { Purpose, RepoResolver } from '@gateway/plugin-repos/api'
import type { CallContext, Collection } from '@gateway/sdk'
import type { FileKind, StateDocument } from '../schema.ts'
import { documentInStore, fileOnDisk, movedTo, type RepoDocument } from './documents.ts'
import { repoOf } from './resolve-repo.ts'

export interface DocumentUses {
  readonly documents: Collection<StateDocument>
  readonly resolver: RepoResolver
}

/**
 * Returns a file of a repo, wherever its documents are stored. Text written while the repo had no folder is found in the store
 * until it has one.
 */
export async function documentOf(
  { repo, file }: { readonly repo?: string | undefined; readonly file: FileKind },
  { documents, resolver }: DocumentUses,
  ctx: Pick<CallContext, 'tenantId' | 'now'>,
  purpose?: Purpose,
): Promise<{ readonly name: string; readonly hint?: string; readonly document: RepoDocument }> {
  const { place, ...known } = await repoOf(repo, resolver, purpose)
  const stored = documentInStore(documents, { repo: known.name, kind: file }, ctx)
  return { ...known, document: place ? movedTo(fileOnDisk(place, file), stored) : stored }
}
