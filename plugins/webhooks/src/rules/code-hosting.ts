import { cutText, defined } from '@gateway/sdk'
import type { CodeCheck, CodePullRequest, CodePush, CodeReview, HostedRepo, PushedCommit } from '../api.ts'
import { checkOf } from './checks.ts'
import { type Fields, record, text } from './fields.ts'
import { isInside } from './inside.ts'
import { kindOf, mergeRequestOf, pipelineOf, projectOf } from './merge-requests.ts'
import { remotesOf } from './remotes.ts'
import { changeRequestOf, noteOf, reviewOf } from './reviews.ts'

/** Event that families receive; `undefined` for a webhook of another kind or of an unknown shape. */
export type CodeHostingNews =
  | { readonly kind: 'push'; readonly push: CodePush }
  | { readonly kind: 'pull-request'; readonly pullRequest: CodePullRequest }
  | { readonly kind: 'check'; readonly check: CodeCheck }
  | { readonly kind: 'review'; readonly review: CodeReview }

const MAX_TEXT = 20_000
const MAX_COMMITS = 200
const COMMIT = /^[0-9a-f]{7,64}$/i
const NO_COMMIT = /^0+$/

/**
 * Reads pushes, pull requests, reviews and checks, each with its `repository`. A host with merge requests sends the same in other words, and names
 * the kind in the body.
 */
export function readNews(event: string, payload: unknown, receivedAt: string): CodeHostingNews | undefined {
  const body = record(payload)
  const kind = kindOf(body)
  if (kind !== undefined) return readProjectNews(kind, body, receivedAt)
  const repo = repoOf(record(body.repository))
  if (!repo) return undefined
  if (event === 'push') {
    const push = pushOf(body, repo, receivedAt)
    return push && { kind: 'push', push }
  }
  if (event === 'pull_request') {
    const pullRequest = pullRequestOf(body, repo, receivedAt)
    return pullRequest && { kind: 'pull-request', pullRequest }
  }
  const review = reviewOf(event, body, repo, receivedAt)
  if (review) return { kind: 'review', review }
  const check = checkOf(event, body, repo, receivedAt)
  return check && { kind: 'check', check }
}

function readProjectNews(kind: string, body: Fields, receivedAt: string): CodeHostingNews | undefined {
  const repo = projectOf(record(body.project))
  if (!repo) return undefined
  if (kind === 'push' || kind === 'tag_push') {
    const push = pushOf({ ...body, pusher: { name: body.user_name ?? body.user_username } }, repo, receivedAt)
    return push && { kind: 'push', push }
  }
  const review = kind === 'note' ? noteOf(body, repo, receivedAt) : kind === 'merge_request' && changeRequestOf(body, repo, receivedAt)
  if (review) return { kind: 'review', review }
  if (kind === 'merge_request') {
    const pullRequest = mergeRequestOf(body, repo, receivedAt)
    return pullRequest && { kind: 'pull-request', pullRequest }
  }
  const check = kind === 'pipeline' ? pipelineOf(body, repo, receivedAt) : undefined
  return check && { kind: 'check', check }
}

function repoOf(repository: Fields): HostedRepo | undefined {
  const short = text(repository.name)
  return short === undefined ? undefined : { name: short, fullName: text(repository.full_name) ?? short, ...remotesOf(repository) }
}

function pushOf({ ref, after, pusher, sender, commits }: Fields, repo: HostedRepo, receivedAt: string): CodePush | undefined {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(text(ref) ?? '') ?? []
  if (kind === undefined || name === undefined) return undefined
  const commit = text(after)
  const by = text(record(pusher).name) ?? text(record(pusher).login) ?? text(record(sender).login)
  return {
    repo,
    ...(kind === 'heads' ? { branch: name } : { tag: name }),
    ...(commit !== undefined && !NO_COMMIT.test(commit) && { commit }),
    ...defined({ by }),
    ...(Array.isArray(commits) &&
      commits.length > 0 && { commits: commits.slice(0, MAX_COMMITS).flatMap((one) => commitOf(one, receivedAt)) }),
    receivedAt,
  }
}

function commitOf(value: unknown, receivedAt: string): readonly PushedCommit[] {
  const { id, message, timestamp } = record(value)
  if (typeof id !== 'string' || !COMMIT.test(id) || typeof message !== 'string' || message.trim() === '') return []
  const time = Date.parse(text(timestamp) ?? '')
  return [{ id, message: cutText(message, MAX_TEXT), at: Number.isNaN(time) ? receivedAt : new Date(time).toISOString() }]
}

function pullRequestOf({ number: ofBody, pull_request }: Fields, repo: HostedRepo, receivedAt: string): CodePullRequest | undefined {
  const { html_url, number: own, title, body, merged, state, head, base } = record(pull_request)
  const url = text(html_url)
  const number = typeof own === 'number' ? own : ofBody
  if (url === undefined || !/^https?:\/\//.test(url) || typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
  return {
    repo,
    number,
    url,
    state: merged === true ? 'merged' : state === 'closed' ? 'closed' : 'open',
    branch: text(record(head).ref) ?? '',
    base: text(record(base).ref) ?? '',
    isInside: isInside(record(pull_request), repo.fullName),
    ...defined({ commit: text(record(head).sha) }),
    title: text(title) ?? '',
    text: typeof body === 'string' ? cutText(body, MAX_TEXT) : '',
    receivedAt,
  }
}
