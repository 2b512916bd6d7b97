import { cutText } from '@gateway/sdk'
import type { Note } from '../schema.ts'

const ICONS = { info: 'ℹ️', warning: '⚠️', error: '❌', critical: '🚨' } as const satisfies Record<Note['level'], string>
/** Limit of a chat message. */
const MAX_CHARACTERS = 4_096

/** A note as a chat shows it: the icon of its level and the title, if any, in the first line. */
export function chatText({ level, title, message, source }: Note): string {
  const body = title === undefined ? message : `${title}\n${message}`
  return cutText(`${ICONS[level]} ${body}${source === undefined ? '' : `\n(${source})`}`, MAX_CHARACTERS)
}
