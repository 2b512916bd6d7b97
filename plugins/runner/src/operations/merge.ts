import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandOutput, ServiceClient } from '@gateway/sdk'
import { allowedEnv } from '../rules/environment.ts'
import type { MergeConfig, RepoConfig, RunnerConfig, Task } from '../schema.ts'
import { changeTask } from './change-task.ts'
import { inTurn } from './git.ts'
import { mergeTarget, moveTarget, rebaseOnto, removeBranch, removePublished, type Target, taskBranches } from './merge-branch.ts'
import { MergeRounds, type Published } from './merge-rounds.ts'
import { killRun, runCommand } from './processes.ts'
import { refusalCode } from './service-error.ts'
import type { StuckMerges } from './stuck-merges.ts'
import { unmergedUpstream } from './upstream.ts'
import { wasMerged } from './was-merged.ts'
import { branchOf, keepAsRescue, removeWorktree, tipsOf } from './worktree.ts'

export interface MergeOrder {
  readonly client: ServiceClient
  readonly config: RunnerConfig
  readonly env: Readonly<Record<string, string | undefined>>
  readonly output: Pick<CommandOutput, 'line' | 'complain'>
  readonly merge: MergeConfig
  readonly drain: AbortSignal
  /** Earlier passes over each repo. Absent if this pass looks at all branches. */
  readonly rounds?: Map<string, MergeRounds>
  /** Branches that earlier passes could not merge. */
  readonly stuck: StuckMerges
}

/** Branches that one pass looks at in each repo. A round of passes looks at all of them. */
const MAX_BRANCHES = 100
/** Branches at the remote that the target has and that one pass looks at. They come last, since nobody waits for them. */
const MAX_MERGED = 10
const LEASE_SECONDS = 120
const LAST_LINES = 20

/**
 * The lane `merge`: the branches of tasks that passed their review are rebased, checked and merged, one after another in each repo,
 * on one machine of the fleet at a time. A branch that cannot be merged goes back with its task.
 */
export async function mergeAll(order: MergeOrder): Promise<void> {
  for (const repo of Object.values(order.config.repos)) {
    if (order.drain.aborted) return
    await alone(order, repo, (held) => mergeRepo(order, repo, held))
  }
}

/** Runs the work while this runner holds the lease of merging into the repo; does nothing if another one does. */
async function alone({ client, config }: MergeOrder, { name }: RepoConfig, work: (held: AbortSignal) => Promise<void>): Promise<void> {
  const lease = { key: `merge/${name}`, holder: `${config.machine}/merge/${process.pid}` }
  const { lease: held } = (await client.call('lease_acquire', { ...lease, leaseSeconds: LEASE_SECONDS })) as { lease?: { epoch: number } }
  if (held === undefined) return
  const { epoch } = held
  const [ended, lost] = [new AbortController(), new AbortController()]
  const extending = (async () => {
    while (!ended.signal.aborted) {
      await delay((LEASE_SECONDS * 1_000) / 3, undefined, { signal: ended.signal }).catch(() => undefined)
      if (ended.signal.aborted) return
      const { ok } = (await client.call('lease_heartbeat', { ...lease, epoch, leaseSeconds: LEASE_SECONDS }).catch(() => ({}))) as {
        ok?: boolean
      }
      if (ok !== true) lost.abort(new Error('The lease for merging was lost; another runner may be merging. This pass ends.'))
    }
  })()
  try {
    await work(lost.signal)
  } finally {
    ended.abort()
    await extending
    await client.call('lease_release', { ...lease, epoch }).catch(() => undefined)
  }
}

async function mergeRepo(order: MergeOrder, repo: RepoConfig, held: AbortSignal): Promise<void> {
  const { client, merge, drain, output, stuck } = order
  const rounds = roundsOf(order, repo)
  const { waiting, merged } = await taskBranches(repo, merge, rounds)
  const ended = new Map(merged.map((published) => [published.branch, published]))
  const next = rounds
    ? [...rounds.waiting.next(waiting, MAX_BRANCHES), ...rounds.merged.next([...ended.keys()], MAX_MERGED)]
    : [...waiting, ...ended.keys()]
  for (const branch of next) {
    if (drain.aborted || held.aborted) return
    const task = await readTask(client, branch)
    const published = ended.get(branch)
    if (task === 'gone' && published !== undefined) rounds?.leave(published)
    if (task === 'gone' || task?.status !== merge.status) continue
    try {
      const result = await mergeOne(order, repo, { branch, task, held })
      if (result === undefined) continue
      output.line(`${task.taskId}: ${result}`)
      await stuck.settled(client, { branch, task })
    } catch (error) {
      // The fault says nothing about the branch, so a later pass tries it again.
      const reason = (error as Error).message
      if (await stuck.failed(client, { branch, task, reason })) output.complain(`${branch} was not merged: ${reason}`)
    }
  }
}

function roundsOf({ rounds }: MergeOrder, { name }: RepoConfig): MergeRounds | undefined {
  if (rounds !== undefined && !rounds.has(name)) rounds.set(name, new MergeRounds())
  return rounds?.get(name)
}

/** The task of a branch. It is gone if the gateway has none; a read that fails says nothing. */
async function readTask(client: ServiceClient, branch: string): Promise<Task | 'gone' | undefined> {
  try {
    return ((await client.get(`/api/tasks/${encodeURIComponent(branch.slice('task/'.length))}`)) as { task: Task }).task
  } catch (error) {
    return refusalCode(error) === 'NOT_FOUND' ? 'gone' : undefined
  }
}

/** The task of a branch, if its review is over. */
async function reviewed(client: ServiceClient, branch: string, { status }: MergeConfig): Promise<Task | undefined> {
  const task = await readTask(client, branch)
  return task !== 'gone' && task?.status === status ? task : undefined
}

interface Branch {
  readonly branch: string
  readonly task: Task
  readonly held: AbortSignal
}

async function mergeOne(order: MergeOrder, repo: RepoConfig, { branch, task, held }: Branch): Promise<string | undefined> {
  const { client, config, merge } = order
  const folder = join(config.stateDir, 'merge')
  const worktree = join(folder, repo.name.replaceAll(/[^A-Za-z0-9._-]/g, '-'))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const target = await mergeTarget(repo)
  const { local, latest, published } = await inTurn(repo.path, () => tipsOf(repo, branch))
  if (latest === undefined) return undefined
  if (await wasMerged(repo.path, latest, target))
    return await leaveMerged(order, repo, { branch, target, isLocal: local !== undefined, published })
  const isEnded = repo.deliver === 'pr' && task.prUrl !== undefined && published === undefined
  if (isEnded && task.status === 'done') return await leaveEnded(repo, branch, latest)
  // A later pass merges it after the work that it depends on, which may not be accepted.
  const upstream = await unmergedUpstream(repo, task, target, branchOf)
  if (upstream !== undefined) {
    const reason = `it waits for the branch ${upstream}, which its task depends on and ${target.name} lacks.`
    await order.stuck.waits(client, { branch, task, reason })
    return undefined
  }
  try {
    const conflicts = await rebaseOnto(repo, latest, target, worktree)
    if (conflicts.length > 0) {
      const files = conflicts.slice(0, 50).join(', ')
      return await giveBack(order, task, `The branch ${branch} conflicts with ${target.name} in ${files}. Rebase it onto ${target.name}.`)
    }
    const fault = await check(order, repo, worktree, held)
    held.throwIfAborted()
    if (fault !== undefined) return await giveBack(order, task, `On top of ${target.name}, ${fault}`)
    if ((await reviewed(client, branch, merge)) === undefined) return CHANGED
    const commit = await moveTarget(repo, branch, target, worktree)
    const note = `Merged into ${target.name} as ${commit.slice(0, 12)}.`
    // The base has moved, so the note stands also on a task that was sent back meanwhile.
    await changeTask(client, task.taskId, ({ status }) => ({ note, ...(status === merge.status && { status: 'done' }) }))
    return `merged into ${target.name}`
  } finally {
    await removeWorktree({ repo: repo.path, path: worktree })
  }
}

const CHANGED = 'the task was changed, so its branch was not merged'

interface Merged {
  readonly branch: string
  readonly target: Target
  readonly isLocal: boolean
  readonly published: string | undefined
}

/**
 * Ends a branch that has nothing for the target: it was merged, here or at the code host, or its task needed no change. It is noted once. A
 * branch at the remote goes now and not with the merge, so that a code host has time to see its pull request as merged.
 */
async function leaveMerged(order: MergeOrder, repo: RepoConfig, merged: Merged): Promise<string | undefined> {
  const { client, merge } = order
  const { branch, target, isLocal, published } = merged
  const task = await reviewed(client, branch, merge)
  if (task === undefined) return CHANGED
  const note = `Nothing to merge: ${target.name} has all changes of ${branch}.`
  const isNews = task.status !== 'done' || (isLocal && !task.notes?.includes(note))
  if (isNews && !(await changeReviewed(order, task, { status: 'done', note }))) return CHANGED
  if (isLocal) await removeBranch(repo, branch)
  if (published !== undefined && merge.deleteBranches) await deletePublished(order, repo, { branch, commit: published })
  return isNews ? `nothing to merge into ${target.name}` : undefined
}

/** Deletes a merged branch at the remote. One that could not be reached is tried again in a later pass. */
async function deletePublished(order: MergeOrder, repo: RepoConfig, published: Published): Promise<void> {
  const { output } = order
  const deletion = await removePublished(repo, published)
  if (!('reason' in deletion)) return
  const rounds = roundsOf(order, repo)
  const was = `${published.branch} was not deleted at ${repo.remote}`
  if (deletion.outcome === 'refused') {
    // A remote that protects the branch refuses each time.
    rounds?.leave(published)
    return output.complain(`${was}, which refuses it. It is left there.`)
  }
  const { reason } = deletion
  const failed = rounds?.failed(published)
  if (failed === undefined) output.complain(`${was}: ${reason}`)
  else if (failed.isLast) output.complain(`${was} in ${failed.tries} tries, and is left there: ${reason}`)
  else if (failed.tries === 1) output.complain(`${was}, and is tried again: ${reason}`)
}

/** Ends a branch that was pushed, and that the code host has removed with the pull request. Commits that the target lacks are kept. */
async function leaveEnded(repo: RepoConfig, branch: string, tip: string): Promise<string | undefined> {
  await keepAsRescue(repo, branch, tip)
  return (await removeBranch(repo, branch)) ? `the pull request has ended, and its branch is gone from ${repo.remote}` : undefined
}

async function giveBack(order: MergeOrder, task: Task, reason: string): Promise<string> {
  const isReturned = await changeReviewed(order, task, { status: 'pending', note: reason })
  return isReturned ? `returned: ${reason.split('\n')[0]}` : CHANGED
}

/** Changes a task whose review is still over. False if somebody has decided otherwise meanwhile. */
const changeReviewed = ({ client, merge }: MergeOrder, { taskId }: Task, change: { status: string; note: string }): Promise<boolean> =>
  changeTask(client, taskId, ({ status }) => (status === merge.status ? change : undefined))

/** Runs setup and check on the rebased branch. Returns the fault, or nothing. */
async function check({ config, env }: MergeOrder, repo: RepoConfig, cwd: string, held: AbortSignal): Promise<string | undefined> {
  const steps = [
    [repo.setup, config.limits.setupMinutes],
    [repo.check, config.limits.checkMinutes],
  ] as const
  const runId = `merge-${config.machine}-${repo.name}`
  // A runner that died may have left a command of an earlier pass.
  killRun(runId, undefined)
  for (const [script, minutes] of steps) {
    if (script === undefined) continue
    const lines: string[] = []
    const code = await runCommand({
      argv: ['sh', '-c', script],
      cwd,
      env: allowedEnv(env, config.env, { GIT_TERMINAL_PROMPT: '0' }),
      input: '/dev/null',
      runId,
      sandbox: config.sandbox,
      signal: AbortSignal.any([held, AbortSignal.timeout(minutes * 60_000)]),
      onLine: (line) => {
        lines.push(line)
        if (lines.length > LAST_LINES) lines.shift()
      },
    })
    held.throwIfAborted()
    if (code !== 0) return `\`${script}\` ended with exit code ${code}:\n${lines.join('\n').slice(-6_000)}`
  }
  return undefined
}
