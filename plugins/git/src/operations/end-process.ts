import type { ChildProcess } from 'node:child_process'
import { killGroup } from '../helper/spawn-git.ts'

/** Grace period for a process to end and remove its temporary files. */
const GRACE_MS = 2_000

/** Ends a git process by closing its input; if it does not end in time, its process group is killed. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.stdin?.end()
  // Its answer no longer has a reader, and must not keep it from ending.
  child.stdout?.resume()
  const impatient = setTimeout(() => killGroup(child), GRACE_MS)
  await ended
  clearTimeout(impatient)
}
