import type { Agent, RunnerConfig, Task } from '../schema.ts'

export interface GatewayAccess {
  readonly mcpUrl: string
  readonly mcpFile: string
  readonly env: Readonly<Record<string, string>>
}

/** Everything an adapter may use to build the command of an agent. The prompt comes on standard input. */
export interface Order {
  readonly task: Task
  readonly agent: Agent
  readonly limits: RunnerConfig['limits']
  /** A new UUID. */
  readonly sessionId: string
  readonly worktree: string
  /** Folder of the run, beside the worktree. */
  readonly folder: string
  /** File that a shell agent may write `key=value` lines into. */
  readonly resultFile: string
  /** File that the program may write its last message into. */
  readonly messageFile: string
  /** Absent if the gateway issued no key. */
  readonly gateway?: GatewayAccess
}

/** Reason why an agent stopped, as far as its output tells. */
export type Stop = 'end' | 'turns' | 'budget' | 'auth' | 'quota' | 'error'

export interface Usage {
  inputTokens?: number
  outputTokens?: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
  usd?: number
}

/** Used share of a quota, in percent, and its reset in milliseconds since 1970. */
export interface UsedWindow {
  readonly usedPct: number
  readonly resetsAt?: number
}

/** Quotas of the account of an agent, as the program shows them. */
export interface Windows {
  readonly fiveHour?: UsedWindow
  readonly weekly?: UsedWindow
}

/** Facts that an adapter read from the output of its agent. Absent members were not told. */
export interface AgentReport {
  /** Last message, for the notes of the task. */
  text?: string
  model?: string
  provider?: string
  sessionId?: string
  stop?: Stop
  error?: string
  prUrl?: string
  /** Time until a used-up quota resets. */
  retryAfterSeconds?: number
  /** Time at which a used-up quota resets, in milliseconds since 1970. */
  resetsAt?: number
  windows?: Windows
  usage: Usage
}

export interface Reader {
  line(text: string): void
  /** Takes the result file and the message file, if they exist, when the process has ended. */
  report(files: { readonly result?: string; readonly message?: string }, exitCode: number): AgentReport
  /** Returns a line as people read it in the log, or `undefined` for a line that only machines read. */
  shown(text: string): string | undefined
}

export interface Adapter {
  /** Variables that the program needs, such as its credential. They are passed on if they are set. */
  readonly env: readonly string[]
  command(order: Order): readonly string[]
  /** Further variables, such as the place of its configuration. */
  ownEnv?(order: Order): Readonly<Record<string, string>>
  reader(): Reader
}

/** Parses a line as a JSON object; `undefined` for everything else. */
export function jsonLine(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Longest message that is kept. */
const MAX_TEXT = 8_000
export const kept = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text)

/** Error of an agent that gave no reason itself. */
export const endedWith = (exitCode: number): string => `it ended with exit code ${exitCode}`

const QUOTA = /usage limit|hit your .{0,40}limit|rate.?limit|quota|too many requests|\b429\b|overloaded/i
const AUTH = /\b401\b|unauthori[sz]ed|authenticat|invalid api key|not logged in|log ?in required|please run .*login/i

export const stopOf = (message: string): Stop => (QUOTA.test(message) ? 'quota' : AUTH.test(message) ? 'auth' : 'error')

/** Seconds until the quota resets, from a phrase such as `try again in 2 hours 5 minutes`. */
export function retryAfter(message: string): number | undefined {
  const [, phrase = ''] = /\bin ((?:\d+ ?(?:d|h|m|s)[a-z]*[ ,]*)+)/i.exec(message) ?? []
  const units = { d: 86_400, h: 3_600, m: 60, s: 1 }
  const seconds = [...phrase.matchAll(/(\d+) ?([dhms])/gi)].map(
    ([, count, unit = 's']) => Number(count) * units[unit.toLowerCase() as keyof typeof units],
  )
  return seconds.length === 0 ? undefined : seconds.reduce((sum, part) => sum + part, 0)
}
