import { readFileSync, readlinkSync } from 'node:fs'
import type { Env } from '../command.ts'

/** Programs that start a hook for a host. */
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ash', 'env', 'timeout', 'nice'])
const MAX_ANCESTORS = 8

/** The name of the host, by the variables that it sets for its hooks. */
export function hostName(env: Env): string {
  if (env.CLAUDECODE || env.CLAUDE_PROJECT_DIR) return 'claude-code'
  if (env.GEMINI_CLI || env.GEMINI_PROJECT_DIR || env.GEMINI_SESSION_ID) return 'gemini-cli'
  return env.CODEX_HOME || env.CODEX_THREAD_ID || env.CODEX_MANAGED_PACKAGE_ROOT ? 'codex' : 'agent-host'
}

interface Stat {
  readonly name: string
  readonly parent: number
  /** Start in clock ticks since the boot: a later process with the same number has another. */
  readonly since: string
}

/** Reads a process from Linux's /proc; `undefined` on other systems, or if there is no such process. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (rest[0] === 'Z') return undefined
    return { name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')), parent: Number(rest[1]), since: rest[19] ?? '' }
  } catch {
    return undefined
  }
}

/** Process numbers mean something in their namespace alone, such as that of a container. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Returns the process of the host in a form that `isGone` understands; `undefined` where processes cannot be read. */
export function hostProcess(): string | undefined {
  let pid = process.ppid
  for (let n = 0; n < MAX_ANCESTORS; n++) {
    const stat = statOf(pid)
    if (!stat) return undefined
    if (!SHELLS.has(stat.name)) return `${pid} ${stat.since} ${namespace()}`
    pid = stat.parent
  }
  return undefined
}

/** True if a process of this machine has certainly ended. */
export function isGone(written: string | undefined): boolean {
  const [pid, since, space] = written?.split(' ') ?? []
  if (pid === undefined || !/^\d+$/.test(pid) || !space || space !== namespace()) return false
  return statOf(Number(pid))?.since !== since
}
