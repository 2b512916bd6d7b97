import { type Fields, record, text } from './fields.ts'

const OF_THE_REPO = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

/** True if the author of this request, review or comment is the owner, a member or a collaborator of the repo. */
export const isByTheRepo = ({ author_association: role }: Fields): boolean => OF_THE_REPO.has(String(role))

/**
 * True for a pull request by somebody of the repo, or of a branch in the repo itself, which only people and programs that may push can
 * make. Anybody else can open one from a fork. A code host that tells neither has no forks.
 */
export function isInside(pullRequest: Fields, fullName: string): boolean {
  const { repo } = record(pullRequest.head)
  if (pullRequest.author_association === undefined && repo === undefined) return true
  return isByTheRepo(pullRequest) || text(record(repo).full_name) === fullName
}

/** The same of a merge request. Its host does not tell the role of an author, so its branch alone counts. */
export function isInsideProject({ source_project_id: source, target_project_id: target }: Fields): boolean {
  return source === target
}
