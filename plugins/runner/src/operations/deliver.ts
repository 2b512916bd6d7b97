import { execFile } from 'node:child_process'
import type { AgentReport } from '../rules/adapter.ts'
import { isNoop } from '../rules/changed-paths.ts'
import type { RepoConfig, Task } from '../schema.ts'
import { git } from './git.ts'
import type { FinalUpdate, RunRecord } from './record.ts'
import { isRemote } from './worktree.ts'

interface Delivery {
  readonly repo: RepoConfig
  readonly task: Task
  readonly record: RunRecord
}

/** An open pull request of the branch has the pushed commits already. One of a fork is somebody else's, though its branch has the same name. */
const PULL_REQUEST = `
own='map(select(.isCrossRepository | not))[0].url // empty'
url=$(gh pr list --head "$GATEWAY_BRANCH" --state open --limit 100 --json url,isCrossRepository --jq "$own") || exit
if test -n "$url"; then echo "$url"
else gh pr create --head "$GATEWAY_BRANCH" --title "$GATEWAY_TITLE" --body "$GATEWAY_SUMMARY"
fi`
/** Code hosts open one pull request for a branch. They refuse a second one in these words, some with the page of the first. */
const EXISTS = /(?:pull|merge) request[^\n]*already exists(?::?\s+(https?:\/\/\S+))?/i
const TIMEOUT_MS = 300_000

export interface Delivered {
  readonly final: FinalUpdate
  /** The sentence that says what a person has to do, because the branch was pushed but has no pull request. */
  readonly lacks?: string
}

/**
 * Delivers the branch with the credential of the runner. Returns the update that ends the task. A pull request that cannot be opened does
 * not undo the push, so the task goes to review: another run would pay for the same work.
 */
export async function deliver({ repo, task, record }: Delivery, paths: readonly string[], report: AgentReport): Promise<Delivered> {
  const { branch, path, base, start, published = '' } = record.tree as NonNullable<RunRecord['tree']>
  const summary = report.text?.trim() || 'The agent said nothing.'
  let prUrl = report.prUrl
  let lacks: string | undefined
  const isSent = paths.length > 0 && isRemote(repo)
  // The agent may have rebased its branch. A commit that somebody pushed during the run is not pushed over.
  const lease = `--force-with-lease=refs/heads/${branch}:${published}`
  if (isSent) await git(path, 'push', '--quiet', '--no-verify', lease, repo.remote, `refs/heads/${branch}:refs/heads/${branch}`)
  if (isSent && repo.deliver === 'pr' && prUrl === undefined) {
    const opened = await openPullRequest(repo, task, { branch, path, summary }).catch((error: Error) => error)
    if (opened instanceof Error) lacks = `It was pushed, and has no pull request: ${opened.message}`
    else prUrl = opened
  }
  const isUnchanged = start !== base && (await git(path, 'rev-parse', 'HEAD')).trim() === start
  const place = [placeOf(repo, branch, paths, isUnchanged), lacks].filter(Boolean).join('\n')
  const final = {
    status: lacks === undefined ? repo.finish : 'review',
    notes: [task.notes, `${place}\n${summary}`].filter(Boolean).join('\n\n').slice(-49_000),
    noopDispatch: isUnchanged || isNoop(paths),
    ...(prUrl !== undefined && { prUrl }),
  } as const
  return { final, ...(lacks !== undefined && { lacks }) }
}

/** The sentence that says where the changes are. */
function placeOf({ deliver }: RepoConfig, branch: string, paths: readonly string[], isUnchanged: boolean): string {
  if (isUnchanged) return `Nothing has changed since it was sent back; its work is on the branch ${branch}.`
  if (paths.length === 0) return 'Nothing has changed.'
  const files = paths.length === 1 ? '1 file' : `${paths.length} files`
  return deliver === 'none' ? `${files} changed; see the diff.` : `${files} changed on the branch ${branch}.`
}

/**
 * Runs the configured command in the environment of the runner. The last URL that it prints is the pull request. A command that is refused
 * because one is open for the branch has delivered: the push has updated that one.
 */
function openPullRequest(
  { pullRequest = PULL_REQUEST }: RepoConfig,
  { title, prUrl }: Task,
  { branch, path, summary }: { branch: string; path: string; summary: string },
): Promise<string> {
  const env = { ...process.env, GATEWAY_BRANCH: branch, GATEWAY_TITLE: title, GATEWAY_SUMMARY: summary }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', pullRequest], { cwd: path, env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const existing = error && EXISTS.exec(`${stderr}\n${stdout}`)
      const url = existing ? (existing[1] ?? prUrl) : stdout.match(/https?:\/\/\S+/g)?.at(-1)
      if (error && (!existing || url === undefined))
        reject(new Error(`opening the pull request failed: ${stderr.trim().split('\n').at(-1) || error.message}`))
      else if (url === undefined) reject(new Error('the command that opens the pull request printed no URL'))
      else resolve(url)
    })
  })
}
