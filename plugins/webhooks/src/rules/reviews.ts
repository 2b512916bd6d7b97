import { cutText, defined } from '@gateway/sdk'
import type { CodeReview, HostedRepo } from '../api.ts'
import { type Fields, record, text } from './fields.ts'
import { isByTheRepo, isInside, isInsideProject } from './inside.ts'

const MAX_TEXT = 8_000

/**
 * A submitted review, or a comment on a line of a pull request. Approvals, drafts, edits, and reviews without a text tell nothing.
 * Anybody may comment on a public repo, and a comment ends in front of an agent; so people of the repo alone are heard.
 */
export function reviewOf(event: string, body: Fields, repo: HostedRepo, receivedAt: string): CodeReview | undefined {
  if (event === 'pull_request_review' && body.action === 'submitted') return readReview(record(body.review), body, repo, receivedAt)
  if (event === 'pull_request_review_comment' && body.action === 'created') {
    const of = record(body.comment)
    return readReview({ ...of, state: 'commented' }, body, repo, receivedAt)
  }
  return undefined
}

function readReview(of: Fields, { pull_request: request }: Fields, repo: HostedRepo, receivedAt: string): CodeReview | undefined {
  const { html_url: page, head } = record(request)
  const pullRequest = text(page)
  const state = String(of.state).toLowerCase()
  const changesRequested = state === 'changes_requested'
  const said = longText(of.body)
  if (pullRequest === undefined || !isByTheRepo(of)) return undefined
  if (!changesRequested && (state !== 'commented' || said === undefined)) return undefined
  return {
    repo,
    pullRequest,
    branch: (isInside(record(request), repo.fullName) ? text(record(head).ref) : undefined) ?? '',
    changesRequested,
    ...defined({
      by: text(record(of.user).login),
      text: said,
      file: text(of.path),
      line: lineOf(of.line ?? of.original_line),
      url: text(of.html_url),
    }),
    receivedAt,
  }
}

/** A note on a merge request. The host does not tell the role of its author, so those who assign or review the request are heard. */
export function noteOf(
  { object_attributes: of, merge_request: request, user }: Fields,
  repo: HostedRepo,
  receivedAt: string,
): CodeReview | undefined {
  const { note, noteable_type: about, action = 'create', system, internal, confidential, author_id: author, position, url } = record(of)
  const { assignee_ids: assignees, reviewer_ids: reviewers, source_branch: branch } = record(request)
  const page = text(url)
  const said = longText(note)
  const isHeard = [assignees, reviewers].some((ids) => Array.isArray(ids) && ids.includes(author))
  if (about !== 'MergeRequest' || action !== 'create' || page === undefined || said === undefined || !isHeard) return undefined
  if (system === true || internal === true || confidential === true) return undefined
  const { new_path: file, new_line: line } = record(position)
  return {
    repo,
    pullRequest: page.replace(/#.*$/, ''),
    branch: (isInsideProject(record(request)) ? text(branch) : undefined) ?? '',
    changesRequested: false,
    text: said,
    ...defined({ by: text(record(user).username), file: text(file), line: lineOf(line), url: page }),
    receivedAt,
  }
}

/** The reviewer of a merge request who has just requested changes; the host tells it as a change of the request. */
export function changeRequestOf({ object_attributes: of, changes }: Fields, repo: HostedRepo, receivedAt: string): CodeReview | undefined {
  const { previous, current } = record(record(changes).reviewers)
  const states = new Map(listOf(previous).map(({ id, state }) => [id, state]))
  const reviewer = listOf(current).find(({ id, state }) => state === 'requested_changes' && states.get(id) !== state)
  const { url, source_branch: branch } = record(of)
  const pullRequest = text(url)
  if (reviewer === undefined || pullRequest === undefined) return undefined
  return {
    repo,
    pullRequest,
    branch: (isInsideProject(record(of)) ? text(branch) : undefined) ?? '',
    changesRequested: true,
    ...defined({ by: text(reviewer.username) }),
    receivedAt,
  }
}

const MAX_REVIEWERS = 100
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.slice(0, MAX_REVIEWERS).map(record) : [])
const lineOf = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined)
const longText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? cutText(value.trim(), MAX_TEXT) : undefined
