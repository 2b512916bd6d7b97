import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { GUARD } from '../rules/guard.ts'

export interface Command {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** File that becomes standard input. */
  readonly input: string
  readonly runId: string
  readonly sandbox: readonly string[]
  readonly onLine: (text: string, stream: 'stdout' | 'stderr') => void
  /** Receives the process group as soon as it exists. */
  readonly onStart?: (pid: number) => void
  /** Ends the group when it aborts. */
  readonly signal: AbortSignal
}

/** Time between the request to end and the kill. */
const GRACE_MS = 1_000
/** A longer line is cut; the rest of it is dropped. */
const MAX_LINE = 64 * 1_024
const MARK = 'GATEWAY_RUN_ID'

/** Runs a command in a process group of its own and returns its exit code. Nothing of the group is left when it returns. */
export async function runCommand({ argv, cwd, env, input, runId, sandbox, onLine, onStart, signal }: Command): Promise<number> {
  signal.throwIfAborted()
  const child = spawn('/bin/sh', ['-c', GUARD, 'gateway-run', ...sandbox, ...argv], {
    cwd,
    env: { ...env, GATEWAY_RUN_INPUT: input, [MARK]: runId },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  child.stdio[3]?.on('error', () => undefined)
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const group = child.pid
  if (group === undefined) {
    await exited
    return 127
  }
  onStart?.(group)
  readLines(child.stdout as Readable, (text) => onLine(text, 'stdout'))
  readLines(child.stderr as Readable, (text) => onLine(text, 'stderr'))
  let killTimer: NodeJS.Timeout | undefined
  const end = (): void => {
    kill(-group, 'SIGTERM')
    killTimer = setTimeout(() => kill(-group, 'SIGKILL'), GRACE_MS)
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    const [code] = await exited
    killRun(runId, group)
    await closed(child)
    return code ?? 137
  } finally {
    clearTimeout(killTimer)
    signal.removeEventListener('abort', end)
  }
}

/** A process that left the group may hold the streams open; it was killed with the run, so they end at once. */
async function closed(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed)
  const limit = setTimeout(() => {
    for (const stream of streams) stream?.destroy()
  }, GRACE_MS)
  await Promise.all(streams.map((stream) => once(stream as Readable, 'close').catch(() => undefined)))
  clearTimeout(limit)
}

/** Kills the group of a run, and every process that carries its mark though it left the group. */
export function killRun(runId: string, group: number | undefined): void {
  if (group !== undefined) kill(-group, 'SIGKILL')
  // A process may fork while the list is read, so it is read again until it is empty.
  for (let pass = 0; pass < 10; pass++) {
    const left = processesWith(MARK, runId)
    if (left.length === 0) return
    for (const pid of left) kill(pid, 'SIGKILL')
  }
}

/** Lists processes with a variable in their environment. Systems other than Linux have no such list. */
export function processesWith(name: string, value: string): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const isMarked = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${name}=${value}`)
      return isMarked && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1')) ? [Number(pid)] : []
    } catch {
      return []
    }
  })
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

/** Identifies a process beyond its number, which is used again: the number and the time it started. */
export function processMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return `${pid}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    try {
      process.kill(pid, 0)
      return `${pid}:`
    } catch {
      return undefined
    }
  }
}

function readLines(stream: Readable, take: (text: string) => void): void {
  let rest = ''
  let cutting = false
  stream.setEncoding('utf8')
  stream.on('error', () => undefined)
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() as string
    for (const part of parts) {
      if (!cutting) take(part.slice(0, MAX_LINE))
      cutting = false
    }
    if (rest.length > MAX_LINE) {
      if (!cutting) take(rest.slice(0, MAX_LINE))
      cutting = true
      rest = ''
    }
  })
  stream.on('end', () => {
    if (rest !== '' && !cutting) take(rest)
  })
}
