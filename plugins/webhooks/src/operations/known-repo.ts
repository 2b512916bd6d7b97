import type { Resolved } from '@gateway/sdk'
import { type HostedRepo, hostedRepoNames } from '../api.ts'
import type { CodeHostingNews } from '../rules/code-hosting.ts'

export const knownRepoUses = { names: hostedRepoNames }
type Refs = Resolved<typeof knownRepoUses>

/** The news with the names that its repo has in records. News that tell no remote keep the name of the code host. */
export async function withKnownRepo(refs: Refs, news: CodeHostingNews): Promise<CodeHostingNews> {
  switch (news.kind) {
    case 'push':
      return { ...news, push: { ...news.push, repo: await known(refs, news.push.repo, news.push.branch !== undefined) } }
    case 'pull-request':
      return { ...news, pullRequest: { ...news.pullRequest, repo: await known(refs, news.pullRequest.repo, true) } }
    case 'check':
      return { ...news, check: { ...news.check, repo: await known(refs, news.check.repo, false) } }
    case 'review':
      return { ...news, review: { ...news.review, repo: await known(refs, news.review.repo, false) } }
  }
}

/** Families store pushes to branches and pull requests under the repo's name; checks and reviews are looked up by it. */
async function known({ names }: Refs, { remotes, ...repo }: HostedRepo, stores: boolean): Promise<HostedRepo> {
  if (remotes === undefined) return repo
  for (const one of names) {
    const [name, ...otherNames] = await one.namesOf({ ...repo, remotes }, { stores })
    if (name !== undefined) return { ...repo, name, ...(otherNames.length > 0 && { otherNames }) }
  }
  return repo
}
