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
  /** Time of the last try to send, in milliseconds since 1970. */
  readonly triedAt?: number
}

/** Figures that have not changed are sent again after this time, so that they do not become stale. */
const SAME_MS = 10 * 60_000
/** Time between two tries to send. */
const TRY_MS = 10_000
const MAX_ACCOUNTS = 50

const folderOf = (env: Env): string => join(env.XDG_STATE_HOME || join(env.HOME ?? homedir(), '.local/state'), 'gateway', 'usage')
const fileOf = (account: string): string => `${createHash('sha256').update(account).digest('hex').slice(0, 32)}.json`

/** Keeps a reading on disk until it is sent. Returns true if a sender should start now. */
export function keepReading(account: string, windows: Windows, now: number, env: Env): boolean {
  const before = read(join(folderOf(env), fileOf(account)))
  const { sent, triedAt } = before ?? {}
  if (sent && isSame(sent, windows) && now - Date.parse(sent.at) < SAME_MS) return false
  const isDue = triedAt === undefined || now - triedAt >= TRY_MS
  write(env, { ...before, account, waiting: windows, ...(isDue && { triedAt: now }) })
  return isDue
}

/** Sends the readings that wait. One that the gateway refuses is not sent again. */
export async function sendReadings(client: ServiceClient, env: Env): Promise<void> {
  for (const { account, waiting } of all(env)) {
    if (!waiting) continue
    try {
      await client.call('account_usage_record', { readings: [readingOf(account, waiting)] })
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    // A newer reading may have come meanwhile.
    const now = read(join(folderOf(env), fileOf(account)))
    if (!now) continue
    const { waiting: later, ...rest } = now
    write(env, { ...rest, sent: waiting, ...(later && later.at !== waiting.at && { waiting: later }) })
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

/** A folder that cannot be written is no reason to fail a host. */
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
