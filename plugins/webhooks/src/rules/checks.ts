import { defined } from '@gateway/sdk'
import type { CodeCheck, HostedRepo } from '../api.ts'
import { type Fields, record, text } from './fields.ts'

const FAILED = new Set(['failure', 'error', 'timed_out', 'action_required', 'startup_failure'])
const PASSED = new Set(['success', 'neutral', 'skipped'])
const MAX_PULL_REQUESTS = 20

/** Each event of a check, with the member that describes the check; a commit status stands in the body itself. */
const MEMBERS: Readonly<Record<string, string>> = { check_run: 'check_run', check_suite: 'check_suite', workflow_run: 'workflow_run' }

/** The check that has ended; undefined while it runs, and for events of another kind. */
export function checkOf(event: string, body: Fields, repo: HostedRepo, receivedAt: string): CodeCheck | undefined {
  const member = Object.hasOwn(MEMBERS, event) ? MEMBERS[event] : undefined
  if (member === undefined && event !== 'status') return undefined
  const of = member === undefined ? body : record(body[member])
  const result = String(member === undefined ? of.state : of.conclusion)
  const commit = text(of.head_sha) ?? text(of.sha)
  if (commit === undefined || (!FAILED.has(result) && !PASSED.has(result))) return undefined
  const from = text(record(of.head_repository).full_name)
  const isOfFork = from !== undefined && from !== repo.fullName
  const branch = isOfFork ? undefined : (text(of.head_branch) ?? text(record(of.check_suite).head_branch) ?? onlyBranch(of.branches))
  return {
    repo,
    name: text(of.name) ?? text(of.context) ?? text(record(of.app).name) ?? event,
    failed: FAILED.has(result),
    commit,
    ...defined({ branch, url: text(of.html_url) ?? text(of.target_url), summary: text(record(of.output).title) ?? text(of.description) }),
    pullRequests: pullRequestsOf(of.pull_requests, record(body.repository)),
    receivedAt,
  }
}

/** A commit status lists all branches that end at its commit; it identifies a branch only if there is a single one. */
function onlyBranch(branches: unknown): string | undefined {
  return Array.isArray(branches) && branches.length === 1 ? text(record(branches[0]).name) : undefined
}

/** Pages of the pull requests: a check names each by its number alone. */
function pullRequestsOf(listed: unknown, { html_url }: Fields): string[] {
  const base = text(html_url)
  if (base === undefined || !Array.isArray(listed)) return []
  return listed.slice(0, MAX_PULL_REQUESTS).flatMap((one) => {
    const { number } = record(one)
    return Number.isSafeInteger(number) ? [`${base}/pull/${number}`] : []
  })
}
