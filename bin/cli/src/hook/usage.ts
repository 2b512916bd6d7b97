import { spawnSync } from 'node:child_process'
import { accountName } from './account.ts'
import { keepReading } from './readings.ts'
import { sendLater } from './send.ts'
import type { Session } from './session.ts'
import { shown, type Windows, windowsOfConversation, windowsOfStatus } from './windows.ts'

/** A status line that takes longer is not worth waiting for. */
const LINE_MS = 5_000

/**
 * The status line of Claude Code: keeps the quotas that the host knows, and returns the line that it shows. With `lineCommand` that command
 * makes the line, from the same input.
 */
export async function statusLine({ env, input, account, lineCommand }: Session): Promise<string | undefined> {
  const windows = windowsOfStatus(input.rateLimits, new Date())
  if (windows) keep(windows, account, env)
  if (lineCommand !== undefined) return lineOf(lineCommand, input.text ?? '', env)
  return [input.model, windows && shown(windows)].filter(Boolean).join(' · ') || undefined
}

/** The end of a turn of Codex: keeps the quotas that its conversation last named. */
export async function turnEnd({ env, input, account }: Session): Promise<undefined> {
  const windows = input.transcript === undefined ? undefined : windowsOfConversation(input.transcript, new Date())
  if (windows) keep(windows, account, env)
}

function keep(windows: Windows, account: string | undefined, env: Session['env']): void {
  if (keepReading(accountName(account, env), windows, Date.now(), env)) sendLater(env)
}

function lineOf(command: string, text: string, env: Session['env']): string | undefined {
  const { stdout } = spawnSync('sh', ['-c', command], { input: text, env: { ...env }, encoding: 'utf8', timeout: LINE_MS })
  return stdout?.replace(/\n$/, '') || undefined
}
