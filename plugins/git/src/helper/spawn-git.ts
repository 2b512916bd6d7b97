import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { limitedCommand, type ProcessLimits } from '../rules/limits.ts'
import { gitArguments, gitEnvironment } from './environment.ts'

export interface GitProcess {
  readonly program: string
  readonly folder: string
  readonly limits: ProcessLimits
  /** The process group is killed after this time, whatever it does. */
  readonly deadlineMs: number
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly stdio?: StdioOptions
}

/**
 * The only way to start a git process: with limits on memory, CPU time and time, without any configuration of the machine.
 * It leads its own process group, so that its child processes end with it.
 */
export function spawnGit(args: readonly string[], { program, folder, limits, deadlineMs, env, stdio = 'pipe' }: GitProcess): ChildProcess {
  const limited = limitedCommand(limits, program, [...gitArguments, ...args])
  const child = spawn(limited.command, limited.args, { cwd: folder, env: gitEnvironment(env), stdio, detached: true })
  const deadline = setTimeout(() => killGroup(child), deadlineMs).unref()
  child.once('error', () => clearTimeout(deadline))
  child.once('exit', (_code, signal) => {
    clearTimeout(deadline)
    // A process ended by a signal had no time to end its child processes.
    if (signal !== null) killGroup(child)
  })
  return child
}

/** Ends a git process and all processes that it started. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group has ended already.
  }
}
