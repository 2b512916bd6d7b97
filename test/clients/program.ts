import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Returns the reason that a program cannot be tried here; undefined when this call of it succeeds. */
export function missing(command: string, args: readonly string[]): string | undefined {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 })
  if (error) return `${command}: ${error.message}`
  return status === 0 ? undefined : `${command} ${args.join(' ')}: ${stderr.trim().split('\n').at(-1) || `code ${status}`}`
}

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end; asynchronous, because this process serves it. */
export async function run(command: string, args: readonly string[]): Promise<Run> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  const exited = once(child, 'exit')
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { code: code as number | null, stdout, stderr }
}
