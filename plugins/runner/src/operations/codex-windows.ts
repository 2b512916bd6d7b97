import { open, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@gateway/sdk'
import type { Windows } from '../rules/adapter.ts'
import { windowsOfConversation } from '../rules/codex-windows.ts'

/** The last figures of a conversation stand near its end. */
const TAIL_BYTES = 512 * 1_024

interface Conversation {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly sessionId: string | undefined
  /** Time at which the run began. */
  readonly startedAt: Date
}

/** Quotas of the account in the conversation that Codex keeps of a run; its output does not have them. */
export async function codexWindows({ env, sessionId, startedAt }: Conversation): Promise<Windows | undefined> {
  if (sessionId === undefined) return undefined
  const sessions = join(env.CODEX_HOME || join(env.HOME || homedir(), '.codex'), 'sessions')
  // Folders are named by the day on which a conversation began, in the time zone of the program.
  for (const days of [0, 1, -1]) {
    const [year, month, day] = new Date(startedAt.getTime() + days * DAY_MS).toISOString().slice(0, 10).split('-') as [
      string,
      string,
      string,
    ]
    const folder = join(sessions, year, month, day)
    const names = await readdir(folder).catch(() => [])
    const name = names.find((one) => one.endsWith(`${sessionId}.jsonl`))
    if (name !== undefined) return windowsOfConversation(await tailOf(join(folder, name)))
  }
  return undefined
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return ''
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length)
    return bytes.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}
