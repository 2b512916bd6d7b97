import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worktree } from './worktree.ts'

/** Update of the task that ends a delivered run; kept so that a later start can repeat it. */
export interface FinalUpdate {
  readonly status: 'review' | 'done'
  readonly notes: string
  readonly noopDispatch: boolean
  readonly prUrl?: string
}

/** State of one run on disk. It is written before each step that would leave something behind. */
export interface RunRecord {
  readonly runId: string
  readonly runner: string
  readonly lane: string
  readonly agent: string
  readonly taskId: string
  readonly claimId: string
  readonly title: string
  readonly repo: string
  readonly startedAt: string
  phase: 'claimed' | 'setup' | 'agent' | 'check' | 'deliver' | 'delivered'
  tree?: Worktree
  group?: number
  final?: FinalUpdate
}

/** Name of the branch that keeps the work of a run, without its `rescue/`. */
export const nameOf = ({ taskId, runId }: RunRecord): string => `${taskId}-${runId.slice(4, 12)}`

export const runsFolder = (stateDir: string): string => join(stateDir, 'runs')
export const runFolder = (stateDir: string, runId: string): string => join(runsFolder(stateDir), runId)

/** Writes the record so that a reader sees the old or the new one, never a part. */
export async function writeRecord(stateDir: string, record: RunRecord): Promise<void> {
  const folder = runFolder(stateDir, record.runId)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, 'run.json.new')
  // A power cut after the rename would otherwise leave an empty file.
  await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true })
  await rename(draft, join(folder, 'run.json'))
}

export const removeRecord = (stateDir: string, runId: string): Promise<void> =>
  rm(runFolder(stateDir, runId), { recursive: true, force: true })

function parsedRecord(text: string | undefined): readonly RunRecord[] {
  try {
    return text === undefined ? [] : [JSON.parse(text) as RunRecord]
  } catch {
    return []
  }
}

/** Reads all runs, the unfinished ones of dead runners included. A damaged record counts as none. */
export async function readRecords(stateDir: string): Promise<readonly RunRecord[]> {
  const names = await readdir(runsFolder(stateDir)).catch(() => [])
  const records = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(runFolder(stateDir, name), 'run.json'), 'utf8').catch(() => undefined)
      return parsedRecord(text)
    }),
  )
  return records.flat()
}
