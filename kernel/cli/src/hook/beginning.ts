import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '../command.ts'

/** Where it is kept which commit a session began at. Whoever cleans the folder takes it away; then only uncommitted files count. */
function path(sessionId: string, env: Env): string {
  return join(env.TMPDIR || tmpdir(), `gateway-session-${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}`)
}

/** A session that is resumed keeps the commit it began at. */
export function rememberBeginning(sessionId: string, head: string, env: Env): void {
  try {
    writeFileSync(path(sessionId, env), head, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The commit, once. */
export function takeBeginning(sessionId: string, env: Env): string | undefined {
  const file = path(sessionId, env)
  try {
    const head = readFileSync(file, 'utf8')
    return /^[0-9a-f]{40,64}$/.test(head) ? head : undefined
  } catch {
    return undefined
  } finally {
    rmSync(file, { force: true })
  }
}
