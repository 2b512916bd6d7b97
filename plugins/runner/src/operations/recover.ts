import { readdir, rm } from 'node:fs/promises'
import type { ServiceClient } from '@gateway/sdk'
import type { RunnerConfig } from '../schema.ts'
import { tryGit, waitForGit } from './git.ts'
import { killRun } from './processes.ts'
import { type RunRecord, readRecords, removeRecord, runFolder, runsFolder } from './record.ts'
import { isRunning } from './runners.ts'
import { persist, refusalCode } from './service-error.ts'
import { removeLocks, removeWorktree, rescue } from './worktree.ts'

/** A dead run that was cleaned up. */
export interface Recovered {
  readonly taskId: string
  readonly title: string
  /** `finished`: its work was delivered, and the task has been moved on. */
  readonly outcome: 'finished' | 'rescued' | 'removed'
  readonly branch?: string
}

/** Cleans up after the runs whose runner is dead: processes, worktrees, locks and tasks. */
export async function recoverRuns(client: ServiceClient, { stateDir, leaseSeconds }: RunnerConfig): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = []
  for (const record of await readRecords(stateDir)) {
    if (isRunning(record.runner)) continue
    // On Linux the processes carry the mark of the run; the number of the group may belong to others by now.
    killRun(record.runId, process.platform === 'linux' ? undefined : record.group)
    await waitForGit(record.runner)
    recovered.push(await recoverRun(client, record, leaseSeconds))
    await removeRecord(stateDir, record.runId)
  }
  await removeEmpty(stateDir)
  return recovered
}

async function recoverRun(client: ServiceClient, record: RunRecord, leaseSeconds: number): Promise<Recovered> {
  const { taskId, claimId, title, tree, final } = record
  const call = (tool: string, args: object): Promise<unknown> =>
    persist(() => client.call(tool, args, `${record.runId}-recover-${tool}`), Date.now() + leaseSeconds * 1_000).catch((error: unknown) => {
      if (refusalCode(error) === undefined) throw error
      return undefined
    })
  if (tree) await removeLocks(tree)
  if (tree && final) {
    await removeWorktree(tree)
    await call('tasks_update', { taskId, claimId, ...final })
    return { taskId, title, outcome: 'finished', branch: tree.branch }
  }
  const branch =
    tree === undefined ? undefined : tree.base === '' ? await discard(tree) : await rescue(tree, `${taskId}-${record.runId.slice(4, 12)}`)
  const error = ['[agent] The runner died.', branch && `The work is kept on the branch ${branch}.`].filter(Boolean).join('\n')
  await call('tasks_fail', { taskId, claimId, error })
  return { taskId, title, outcome: branch ? 'rescued' : 'removed', ...(branch && { branch }) }
}

/** A worktree that was only begun has no work in it. Its branch goes if it holds nothing that another branch lacks. */
async function discard({ repo, path, branch }: NonNullable<RunRecord['tree']>): Promise<undefined> {
  await removeWorktree({ repo, path })
  const own = await tryGit(repo, 'rev-list', '--max-count=1', branch, '--not', `--exclude=${branch}`, '--branches')
  if (own === '') await tryGit(repo, 'branch', '--quiet', '-D', branch)
  return undefined
}

/** A folder without a record was begun by a runner that died before it wrote one. */
async function removeEmpty(stateDir: string): Promise<void> {
  const known = new Set((await readRecords(stateDir)).map(({ runId }) => runId))
  const names = await readdir(runsFolder(stateDir)).catch(() => [])
  for (const name of names) if (!known.has(name)) await rm(runFolder(stateDir, name), { recursive: true, force: true })
}
