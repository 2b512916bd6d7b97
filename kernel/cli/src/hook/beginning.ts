import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '../command.ts'

/** Facts of a session's beginning that its end needs. */
export interface Beginning {
  /** Commit at which the session began. */
  readonly head?: string
  /** The gateway's name for the repo. */
  readonly repo?: string
}

/** A file in the folder for temporary files. When it has been removed meanwhile, only uncommitted files count as the session's work. */
function path(sessionId: string, env: Env): string {
  return join(env.TMPDIR || tmpdir(), `gateway-session-${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}`)
}

/** A session that is resumed keeps the commit it began at. A folder that cannot be written to is no reason to fail a session. */
export function rememberBeginning(sessionId: string, beginning: Beginning, env: Env): void {
  try {
    writeFileSync(path(sessionId, env), JSON.stringify(beginning), { flag: 'wx', mode: 0o600 })
  } catch {
    // It exists already, or cannot be kept.
  }
}

/** Reads and removes the facts. Empty when there are none. */
export function takeBeginning(sessionId: string, env: Env): Beginning {
  const file = path(sessionId, env)
  try {
    const { head, repo } = JSON.parse(readFileSync(file, 'utf8')) as { head?: unknown; repo?: unknown }
    return {
      ...(typeof head === 'string' && /^[0-9a-f]{40,64}$/.test(head) && { head }),
      ...(typeof repo === 'string' && repo !== '' && { repo }),
    }
  } catch {
    return {}
  } finally {
    rmSync(file, { force: true })
  }
}
