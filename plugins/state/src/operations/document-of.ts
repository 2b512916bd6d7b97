import type { RepoFolders } from '@gateway/plugin-repos/api'
import type { CallContext, Collection } from '@gateway/sdk'
import type { FileKind, StateDocument } from '../schema.ts'
import { documentInStore, fileOnDisk, type RepoDocument } from './documents.ts'
import { repoWithFiles } from './resolve-repo.ts'

export interface DocumentUses {
  readonly documents: Collection<StateDocument>
  readonly folders: RepoFolders
}

/** A file of a repo, wherever the repo’s documents lie. NOT_FOUND for a repo that the caller does not have. */
export async function documentOf(
  { repo, file }: { readonly repo?: string | undefined; readonly file: FileKind },
  { documents, folders }: DocumentUses,
  ctx: Pick<CallContext, 'tenantId' | 'now'>,
): Promise<{ readonly name: string; readonly document: RepoDocument }> {
  const { name, place } = await repoWithFiles(repo, folders, ctx)
  return { name, document: place ? fileOnDisk(place, file) : documentInStore(documents, { repo: name, kind: file }, ctx) }
}
