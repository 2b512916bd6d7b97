import type { ChildProcess } from 'node:child_process'
import { killGroup } from '../helper/spawn-git.ts'

/** Time for a process to end by itself, in which it removes what it kept until then. */
const GRACE_MS = 2_000

/** Ends a git process: its input is closed, and only where that does not end it in time its process group is killed. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.stdin?.end()
  // Its answer has no reader any more, and must not keep it from ending.
  child.stdout?.resume()
  const impatient = setTimeout(() => killGroup(child), GRACE_MS)
  await ended
  clearTimeout(impatient)
}
