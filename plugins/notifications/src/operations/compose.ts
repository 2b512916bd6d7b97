import { type CallContext, cutText, defined, LOCAL_TENANT } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'
import type { ComposedNote, Note } from '../schema.ts'

const MAX_TITLE_CHARACTERS = 300
const MAX_MESSAGE_CHARACTERS = 8_192

/** A note as sent and kept: without secrets, bounded, and naming its tenant unless it is the operator's own. */
export function compose(note: Note, { tenantId }: Pick<CallContext, 'tenantId'>): ComposedNote {
  const title = note.title === undefined ? undefined : redactText(note.title)
  const of = tenantId === LOCAL_TENANT ? '' : `[${tenantId}] `
  const named = title === undefined ? of.trim() : of + title
  return {
    level: note.level,
    ...(named !== '' && { title: cutText(named, MAX_TITLE_CHARACTERS) }),
    message: cutText(redactText(note.message), MAX_MESSAGE_CHARACTERS),
    ...defined({ source: note.source }),
  }
}
