import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export const onLinux = { skip: process.platform !== 'linux' && 'it looks at processes by the files of Linux' }

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Finds git processes that serve repositories below a folder, by their command lines. */
export function gitProcesses(folder: string): readonly { readonly pid: string; readonly command: string }[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(all.map((pid) => [pid, /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '0']))
  const commands = new Map(all.map((pid) => [pid, read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')]))
  const serves = (pid: string): boolean =>
    pid !== '0' && pid !== '1' && ((commands.get(pid) ?? '').includes(folder) || serves(parents.get(pid) ?? '0'))
  return all
    .filter((pid) => /\bgit\b/.test(commands.get(pid) ?? '') && serves(pid))
    .map((pid) => ({ pid, command: commands.get(pid) ?? '' }))
}

/** Returns the peak memory of each process while the work runs, added up, in megabytes. */
export async function peakOf(folder: string, work: Promise<unknown>): Promise<number> {
  const peaks = new Map<string, number>()
  let over = false
  const ended = work.finally(() => (over = true))
  while (!over) {
    for (const { pid } of gitProcesses(folder)) {
      const peak = Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
      peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peak))
    }
    await sleep(40)
  }
  await ended
  return [...peaks.values()].reduce((sum, peak) => sum + peak, 0) / 1_024
}

/** Waits until the condition is true; the time limit of the test ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}
