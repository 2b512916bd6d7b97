import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceClient } from '@gateway/sdk'
import type { RunnerConfig } from '../schema.ts'
import { waitForGit } from './git.ts'
import { noteKept } from './note-kept.ts'
import { killRun, processMark } from './processes.ts'
import { nameOf, type RunRecord, readRecords, removeRecord, runFolder, runsFolder } from './record.ts'
import { isRunning } from './runners.ts'
import { persist, refusalCode } from './service-error.ts'
import { type Rescued, removeLocks, removeWorktree, rescue } from './worktree.ts'

/** A dead run that was cleaned up. */
export interface Recovered {
  readonly taskId: string
  readonly title: string
  /** `finished`: its work was delivered, and the task has been moved on. `waiting`: its work still lies in its folder. */
  readonly outcome: 'finished' | 'rescued' | 'removed' | 'waiting'
  readonly branch?: string
  /** The reason why the work waits. */
  readonly reason?: string
}

/** Runs of this process that it could not end. They are noted in memory, since the disk may have no room for it. */
const left = new Set<string>()

/** Leaves a run to the next recovery, as if its runner were dead. */
export function leaveToRecovery(runId: string): void {
  left.add(runId)
}

/** Cleans up after the runs whose runner is dead: processes, worktrees, locks and tasks. */
export async function recoverRuns(client: ServiceClient, config: RunnerConfig): Promise<readonly Recovered[]> {
  const { stateDir } = config
  const recovered: Recovered[] = []
  for (const record of await readRecords(stateDir)) {
    const { runId, runner } = record
    if ((isRunning(runner) && !left.has(runId)) || !(await takeOver(stateDir, runId))) continue
    // On Linux the processes carry the mark of the run; the number of the group may belong to others by now.
    killRun(runId, process.platform === 'linux' ? undefined : record.group)
    // Git processes of a live runner belong to its other runs.
    if (!left.has(runId)) await waitForGit(runner)
    const result = await recoverRun(client, record, config)
    recovered.push(result)
    if (result.outcome === 'waiting') continue
    await removeRecord(stateDir, runId)
    left.delete(runId)
  }
  await removeEmpty(stateDir)
  return recovered
}

async function recoverRun(client: ServiceClient, record: RunRecord, { machine, leaseSeconds }: RunnerConfig): Promise<Recovered> {
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
  const { branch, note, waits }: Rescued = tree ? await rescue(tree, nameOf(record)) : {}
  const error = ['[agent] The runner died.', note].filter(Boolean).join('\n')
  const told = await call('tasks_fail', { taskId, claimId, error })
  if (told === undefined && note !== undefined) await noteKept(client, { taskId, machine, note }, Date.now() + leaseSeconds * 1_000)
  const outcome = waits ? 'waiting' : branch ? 'rescued' : 'removed'
  return { taskId, title, outcome, ...(branch && { branch }), ...(waits && { reason: waits.reason }) }
}

/**
 * Returns true if this process cleans up after the run: several runners of a machine see it at once, and one that removed the worktree
 * under another would lose the uncommitted work. The note of a process that died meanwhile does not count.
 */
async function takeOver(stateDir: string, runId: string): Promise<boolean> {
  const note = join(runFolder(stateDir, runId), 'recovered-by')
  const mark = processMark(process.pid) as string
  for (let tries = 0; tries < 2; tries++) {
    try {
      await writeFile(note, mark, { flag: 'wx' })
      return true
    } catch (error) {
      // Without the folder of the run another runner has finished.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
    const other = (await markIn(note)) || (await delay(WRITING_MS, note).then(markIn))
    if (other === mark) return true
    if (isRunning(other)) return false
    await rm(note, { force: true })
  }
  return false
}

/** Time for which a note may be without its mark while it is written. */
const WRITING_MS = 500
const markIn = (note: string): Promise<string> => readFile(note, 'utf8').catch(() => '')

/** A folder without a record was begun by a runner that died before it wrote one, unless it is so new that its runner still writes it. */
async function removeEmpty(stateDir: string): Promise<void> {
  const known = new Set((await readRecords(stateDir)).map(({ runId }) => runId))
  const names = await readdir(runsFolder(stateDir)).catch(() => [])
  for (const name of names) {
    const folder = runFolder(stateDir, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (!known.has(name) && Date.now() - mtimeMs > NEW_MS) {
      killRun(name, undefined)
      await rm(folder, { recursive: true, force: true })
    }
  }
}
const NEW_MS = 60_000
