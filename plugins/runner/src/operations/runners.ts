import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processMark } from './processes.ts'

export interface RunnerEntry {
  /** Process number and start time. */
  readonly mark: string
  readonly pid: number
  readonly machine: string
  readonly url: string
  readonly lanes: readonly string[]
  readonly startedAt: string
}

const folderOf = (stateDir: string): string => join(stateDir, 'runners')

export const isRunning = (mark: string): boolean => processMark(Number.parseInt(mark, 10)) === mark

export async function enterRunner(stateDir: string, entry: RunnerEntry): Promise<() => Promise<void>> {
  const folder = folderOf(stateDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${entry.pid}.json`)
  await writeFile(`${file}.new`, JSON.stringify(entry))
  await rename(`${file}.new`, file)
  return () => rm(file, { force: true })
}

/** Lists the live runners and removes the files of dead ones. */
export async function listRunners(stateDir: string): Promise<readonly RunnerEntry[]> {
  const folder = folderOf(stateDir)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const entries = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
      if (text === undefined) return []
      const entry = parsedEntry(text)
      if (entry && isRunning(entry.mark)) return [entry]
      await rm(join(folder, name), { force: true })
      return []
    }),
  )
  return entries.flat()
}

/** Returns `undefined` for a file that a crash has damaged. */
function parsedEntry(text: string): RunnerEntry | undefined {
  try {
    return JSON.parse(text) as RunnerEntry
  } catch {
    return undefined
  }
}
