import { createHash } from 'node:crypto'
import { isName } from './names.ts'

const MAX_SLUG = 80

/** Returns the slug of a session: its id, or a hash of an id that cannot be part of a ref. */
export function sessionSlug(sessionId: string): string {
  const isPlain = sessionId.length <= MAX_SLUG && isName(sessionId)
  return isPlain ? sessionId : `s-${createHash('sha256').update(sessionId).digest('hex').slice(0, 24)}`
}
export const sessionBranch = (sessionId: string): string => `session/${sessionSlug(sessionId)}`
