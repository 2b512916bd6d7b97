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

const PULL_REQUEST = 'gh pr create --head "$GATEWAY_BRANCH" --title "$GATEWAY_TITLE" --body "$GATEWAY_SUMMARY"'
const TIMEOUT_MS = 300_000

/** Delivers the branch with the credential of the runner. Returns the update that ends the task. */
export async function deliver({ repo, task, record }: Delivery, paths: readonly string[], report: AgentReport): Promise<FinalUpdate> {
  const { branch, path, published = '' } = record.tree as NonNullable<RunRecord['tree']>
  const summary = report.text?.trim() || 'The agent said nothing.'
  let prUrl = report.prUrl
  const isSent = paths.length > 0 && isRemote(repo)
  // The agent may have rebased its branch. A commit that somebody pushed during the run is not pushed over.
  const lease = `--force-with-lease=refs/heads/${branch}:${published}`
  if (isSent) await git(path, 'push', '--quiet', '--no-verify', lease, repo.remote, `refs/heads/${branch}:refs/heads/${branch}`)
  if (isSent && repo.deliver === 'pr' && prUrl === undefined) prUrl = await openPullRequest(repo, task, { branch, path, summary })
  const files = paths.length === 1 ? '1 file' : `${paths.length} files`
  const place =
    paths.length === 0
      ? 'Nothing has changed.'
      : repo.deliver === 'none'
        ? `${files} changed; see the diff.`
        : `${files} changed on the branch ${branch}.`
  return {
    status: repo.finish,
    notes: [task.notes, `${place}\n${summary}`].filter(Boolean).join('\n\n').slice(-49_000),
    noopDispatch: isNoop(paths),
    ...(prUrl !== undefined && { prUrl }),
  }
}

/** Runs the configured command in the environment of the runner. The last URL that it prints is the pull request. */
function openPullRequest(
  { pullRequest = PULL_REQUEST }: RepoConfig,
  { title }: Task,
  { branch, path, summary }: { branch: string; path: string; summary: string },
): Promise<string> {
  const env = { ...process.env, GATEWAY_BRANCH: branch, GATEWAY_TITLE: title, GATEWAY_SUMMARY: summary }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', pullRequest], { cwd: path, env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const url = stdout.match(/https?:\/\/\S+/g)?.at(-1)
      if (error) reject(new Error(`opening the pull request failed: ${stderr.trim().split('\n').at(-1) || error.message}`))
      else if (url === undefined) reject(new Error('the command that opens the pull request printed no URL'))
      else resolve(url)
    })
  })
}
