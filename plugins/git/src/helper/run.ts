import { type ChildProcess, spawn } from 'node:child_process'
import { gitArguments, gitEnvironment } from './environment.ts'

export interface RunOptions {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Bytes of output that are kept; what comes after them ends the command. */
  readonly maxBytes?: number
  /** Exit codes that are an answer. */
  readonly codes?: readonly number[]
  /** Default: a minute. */
  readonly timeoutMs?: number
}
export interface Ran {
  readonly code: number
  readonly output: string
  readonly truncated: boolean
}

const TIMEOUT_MS = 60_000
const MAX_OUTPUT = 16 * 1_024 * 1_024
/** So many short commands at a time; the rest wait. */
const AT_ONCE = 4

class GitFailed extends Error {
  readonly code: number | null
  constructor(command: string, code: number | null, stderr: string) {
    super(`git ${command} failed (${code}): ${stderr.trim().slice(0, 500)}`)
    this.code = code
  }
}

/** The program, as the gateway’s settings name it. */
export const program = { path: 'git' }
const alive = new Set<ChildProcess>()

/** A git process of ours, ended with the helper. */
export function startGit(args: readonly string[], { folder, env }: Pick<RunOptions, 'folder' | 'env'>) {
  const child = spawn(program.path, [...gitArguments, ...args], { cwd: folder, env: gitEnvironment(env), stdio: ['pipe', 'pipe', 'pipe'] })
  alive.add(child)
  child.once('close', () => alive.delete(child))
  // Who ends while it is written to is told by its exit code.
  child.stdin.on('error', () => {})
  return child
}

export function killAll(): void {
  for (const child of alive) child.kill('SIGKILL')
}

let running = 0
const waiting: (() => void)[] = []

/** Run one short command to its end. */
export async function run(args: readonly string[], options: RunOptions): Promise<Ran> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await runNow(args, options)
  } finally {
    running--
    waiting.shift()?.()
  }
}

function runNow(
  args: readonly string[],
  { maxBytes = MAX_OUTPUT, codes = [0], input = '', timeoutMs = TIMEOUT_MS, ...where }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = startGit(args, where)
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const chunks: Buffer[] = []
    let bytes = 0
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes <= maxBytes) chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) child.kill('SIGTERM')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 4_096) errors += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      const truncated = bytes > maxBytes
      if (!truncated && (code === null || !codes.includes(code))) return reject(new GitFailed(args[0] ?? '', code, errors))
      resolve({ code: code ?? 0, output: Buffer.concat(chunks).subarray(0, maxBytes).toString(), truncated })
    })
    child.stdin.end(input)
  })
}
