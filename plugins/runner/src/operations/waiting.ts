import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A task that this machine gave back because a place was not free, for `gateway runner status`. */
export interface Waiting {
  readonly taskId: string
  readonly title: string
  readonly reason: string
  readonly since: string
}

const folderOf = (stateDir: string): string => join(stateDir, 'waiting')
const fileOf = (stateDir: string, taskId: string): string => join(folderOf(stateDir), `${taskId.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.json`)

/** Notes that a task waits. A full disk has no room for the note; the notes of the task say it all the same. */
export async function noteWaiting(stateDir: string, waiting: Waiting): Promise<void> {
  try {
    await mkdir(folderOf(stateDir), { recursive: true, mode: 0o700 })
    await writeFile(fileOf(stateDir, waiting.taskId), JSON.stringify(waiting), { mode: 0o600 })
  } catch {
    // The run itself tells its reason.
  }
}

export const removeWaiting = (stateDir: string, taskId: string): Promise<void> =>
  rm(fileOf(stateDir, taskId), { force: true }).catch(() => undefined)

/** A task that waits is tried at least every quarter of an hour; after a day somebody else has done or removed it. */
const MAX_AGE_MS = 86_400_000
const MAX_SHOWN = 100

/** Lists the tasks that wait for a place on this machine, and forgets those of which nothing was heard for a day. */
export async function readWaiting(stateDir: string): Promise<readonly Waiting[]> {
  const folder = folderOf(stateDir)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).slice(0, MAX_SHOWN)
  const read = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
      if (Date.now() - mtimeMs <= MAX_AGE_MS) return parsed(await readFile(path, 'utf8').catch(() => ''))
      await rm(path, { force: true })
      return []
    }),
  )
  return read.flat()
}

function parsed(text: string): readonly Waiting[] {
  try {
    return [JSON.parse(text) as Waiting]
  } catch {
    return []
  }
}
