import { cutText, defined } from '@gateway/sdk'
import type { CodeCheck, CodePullRequest, HostedRepo } from '../api.ts'
import { type Fields, record, text } from './fields.ts'
import { isInsideProject } from './inside.ts'
import { remotesOf } from './remotes.ts'

const MAX_TEXT = 20_000
const STATES: Readonly<Record<string, CodePullRequest['state']>> = { merged: 'merged', closed: 'closed' }
const ENDED: Readonly<Record<string, boolean>> = { failed: true, success: false }

/** A host with merge requests names the kind of each event in its body, and describes the repo as a project. */
export const kindOf = ({ object_kind: kind }: Fields): string | undefined => text(kind)

export function projectOf(project: Fields): HostedRepo | undefined {
  const fullName = text(project.path_with_namespace)
  const short = fullName?.split('/').at(-1) || text(project.name)
  return short === undefined ? undefined : { name: short, fullName: fullName ?? short, ...remotesOf(project) }
}

/** A merge request is a pull request under another name. */
export function mergeRequestOf({ object_attributes: of }: Fields, repo: HostedRepo, receivedAt: string): CodePullRequest | undefined {
  const { url: page, iid, title, description, state, source_branch: branch, target_branch: base, last_commit: last } = record(of)
  const url = text(page)
  if (url === undefined || !/^https?:\/\//.test(url) || typeof iid !== 'number' || !Number.isSafeInteger(iid)) return undefined
  return {
    repo,
    number: iid,
    url,
    state: STATES[String(state)] ?? 'open',
    branch: text(branch) ?? '',
    base: text(base) ?? '',
    isInside: isInsideProject(record(of)),
    ...defined({ commit: text(record(last).id) }),
    title: text(title) ?? '',
    text: typeof description === 'string' ? cutText(description, MAX_TEXT) : '',
    receivedAt,
  }
}

/** A pipeline that has ended is a check; one that was cancelled or skipped says nothing about its commit. */
export function pipelineOf(
  { object_attributes: of, merge_request: request }: Fields,
  repo: HostedRepo,
  receivedAt: string,
): CodeCheck | undefined {
  const { status, sha, ref, name, url } = record(of)
  const commit = text(sha)
  const failed = Object.hasOwn(ENDED, String(status)) ? ENDED[String(status)] : undefined
  if (commit === undefined || failed === undefined) return undefined
  const ofRequest = record(request)
  const page = text(ofRequest.url)
  return {
    repo,
    name: text(name) ?? 'pipeline',
    failed,
    commit,
    ...defined({ branch: page === undefined || isInsideProject(ofRequest) ? text(ref) : undefined, url: text(url) }),
    pullRequests: page === undefined ? [] : [page],
    receivedAt,
  }
}
