import type { Purpose, RepoResolver } from '@gateway/plugin-repos/api'
import { isRepo } from '../rules/names.ts'

/** Returns the namespace of the repo that a caller means by its name, its folder or its git remote. */
export async function namespaceOf<Text extends string | undefined>(
  { resolver }: { readonly resolver: RepoResolver | undefined },
  repo: Text,
  purpose?: Purpose,
): Promise<Text> {
  if (repo === undefined || !resolver || (isRepo(repo) && !/[/\\:]/.test(repo))) return repo
  return (await resolver.resolve({ repo }, purpose)).name as Text
}
