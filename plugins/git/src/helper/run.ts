import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { DEFAULT_LIMITS, type GitLimits, type ProcessLimits } from '../rules/limits.ts'
import { Places } from './places.ts'
import { killGroup, spawnGit } from './spawn-git.ts'

export interface RunOptions {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Default: the limits for work on repositories. */
  readonly limits?: ProcessLimits | undefined
  readonly input?: string
  /** Maximum bytes of output; more ends the command. */
  readonly maxBytes?: number
  /** Exit codes that count as an answer. */
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
/** Short commands that run at a time; the rest wait. */
const AT_ONCE = 4
const AT_ONCE_OF_PUSHES = 2

class GitFailed extends Error {
  readonly code: number | null
  constructor(command: string, code: number | null, stderr: string) {
    super(`git ${command} failed (${code}): ${stderr.trim().slice(0, 500)}`)
    this.code = code
  }
}

export const git: { program: string; limits: GitLimits } = { program: 'git', limits: DEFAULT_LIMITS }

/** Long-running processes are replaced after this time, so that their CPU time stays far below its limit. */
export const RENEW_MS = 60_000
/** The longest that a process without a limit of its own may run. */
export const DEADLINE_MS = 600_000
const alive = new Set<ChildProcess>()

/** Starts a git process that ends with the helper. */
export function startGit(
  args: readonly string[],
  { folder, env, limits = git.limits, deadlineMs = DEADLINE_MS }: Pick<RunOptions, 'folder' | 'env' | 'limits'> & { deadlineMs?: number },
) {
  const child = spawnGit(args, { program: git.program, folder, env, limits, deadlineMs }) as ChildProcessWithoutNullStreams
  alive.add(child)
  child.once('close', () => alive.delete(child))
  // A process that ends during a write to it reports that by its exit code.
  child.stdin.on('error', () => {})
  return child
}

export function killAll(): void {
  for (const child of alive) killGroup(child)
}

/** Commands that judge pushes have their own permits, so that reads and writes continue during any push. */
const places = { own: new Places(AT_ONCE), push: new Places(AT_ONCE_OF_PUSHES) }

export function run(args: readonly string[], options: RunOptions): Promise<Ran> {
  const kind = options.limits === undefined ? 'own' : 'push'
  return places[kind].run(() => runNow(args, options))
}

function runNow(
  args: readonly string[],
  { maxBytes = MAX_OUTPUT, codes = [0], input = '', timeoutMs = TIMEOUT_MS, ...where }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = startGit(args, { ...where, deadlineMs: timeoutMs })
    const chunks: Buffer[] = []
    let bytes = 0
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes <= maxBytes) chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) killGroup(child)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 4_096) errors += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) => {
      const truncated = bytes > maxBytes
      if (!truncated && (code === null || !codes.includes(code))) return reject(new GitFailed(args[0] ?? '', code, errors))
      resolve({ code: code ?? 0, output: Buffer.concat(chunks).subarray(0, maxBytes).toString(), truncated })
    })
    child.stdin.end(input)
  })
}
