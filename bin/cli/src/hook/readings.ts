import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import type { ServiceClient } from '@gateway/sdk/command'
import type { Env } from '../command.ts'
import { isRefusal } from './refusal.ts'
import type { UsedWindow, Windows } from './windows.ts'

/** Readings of one account on this machine: the last that the gateway has, and one that waits. */
interface Kept {
  readonly account: string
  readonly sent?: Windows
  readonly waiting?: Windows
  /** No try to send before this time, in milliseconds since 1970. */
  readonly nextTryAt?: number
}

/** Figures that have not changed are sent again after this time, so that they do not become stale. A refusal stands as long. */
const SAME_MS = 10 * 60_000
/** Time between two tries to send. */
const TRY_MS = 10_000
const MAX_ACCOUNTS = 50

const folderOf = (env: Env): string => join(env.XDG_STATE_HOME || join(env.HOME ?? homedir(), '.local/state'), 'gateway', 'usage')
const fileOf = (account: string): string => `${createHash('sha256').update(account).digest('hex').slice(0, 32)}.json`

/** The key of an agent’s task may not record quotas: its readings wait for a session of the user. */
const maySend = ({ GATEWAY_TASK_ID: task }: Env): boolean => !task

/** Keeps a reading on disk until it is sent. Returns true if a sender should start now. */
export function keepReading(account: string, windows: Windows, now: number, env: Env): boolean {
  const before = read(join(folderOf(env), fileOf(account)))
  const { sent, nextTryAt = 0 } = before ?? {}
  if (sent && isSame(sent, windows) && now - Date.parse(sent.at) < SAME_MS) return false
  const isDue = maySend(env) && now >= nextTryAt
  write(env, { ...before, account, waiting: windows, ...(isDue && { nextTryAt: now + TRY_MS }) })
  return isDue
}

/** Sends the readings that wait. After a refusal none is sent for ten minutes. */
export async function sendReadings(client: ServiceClient, env: Env): Promise<void> {
  if (!maySend(env)) return
  for (const { account, waiting } of all(env)) {
    if (!waiting) continue
    const outcome = await send(client, account, waiting)
    // A newer reading may have come meanwhile.
    const { waiting: later, ...rest } = read(join(folderOf(env), fileOf(account))) ?? { account }
    write(env, { ...rest, ...outcome, ...(later && later.at !== waiting.at && { waiting: later }) })
  }
}

async function send(client: ServiceClient, account: string, waiting: Windows): Promise<Partial<Kept>> {
  try {
    await client.call('account_usage_record', { readings: [readingOf(account, waiting)] })
    return { sent: waiting }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { nextTryAt: Date.now() + SAME_MS }
  }
}

const readingOf = (account: string, { at, fiveHour, weekly }: Windows): object => ({
  account,
  host: hostname().slice(0, 200),
  source: 'statusline',
  at,
  ...(fiveHour && { fiveHourPct: fiveHour.usedPct, ...(fiveHour.resetsAt && { fiveHourResetsAt: fiveHour.resetsAt }) }),
  ...(weekly && { sevenDayPct: weekly.usedPct, ...(weekly.resetsAt && { sevenDayResetsAt: weekly.resetsAt }) }),
})

/** A change below one percent is not worth a call. */
const isSame = (one: Windows, other: Windows): boolean =>
  isSameWindow(one.fiveHour, other.fiveHour) && isSameWindow(one.weekly, other.weekly)
const isSameWindow = (one: UsedWindow | undefined, other: UsedWindow | undefined): boolean =>
  one?.resetsAt === other?.resetsAt && Math.floor(one?.usedPct ?? -1) === Math.floor(other?.usedPct ?? -1)

function all(env: Env): readonly Kept[] {
  try {
    const folder = folderOf(env)
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.slice(0, MAX_ACCOUNTS).flatMap((name) => read(join(folder, name)) ?? [])
  } catch {
    return []
  }
}

function read(file: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept
  } catch {
    return undefined
  }
}

/** A folder that cannot be written is not a reason to fail a host. */
function write(env: Env, kept: Kept): void {
  try {
    const folder = folderOf(env)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, fileOf(kept.account))
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // The next reading is kept instead.
  }
}
