import { type Atomically, BadRequest, type CallContext, Conflict, isToolError } from '@gateway/sdk'
import type { SessionIndex } from '../api.ts'
import { bytesOf } from '../rules/message-view.ts'
import { checkMetadata } from '../rules/metadata.ts'
import { placeOf } from '../rules/place.ts'
import { type Bundle, MAX_SESSION_BYTES, type StoredMessage, type StoredSession } from '../schema.ts'
import type { ReadUses } from './read.ts'

const AT_ONCE = 1_000

/** Stores an export in the caller's tenant, all of it or nothing. CONFLICT when `preserveId` names an existing session. */
export async function importSession(
  { bundle, preserveId }: { readonly bundle: Bundle; readonly preserveId: boolean },
  { sessions, messages, indexes, atomically }: ReadUses & { readonly atomically: Atomically; readonly indexes: readonly SessionIndex[] },
  ctx: CallContext,
): Promise<StoredSession> {
  const { tenantId: _tenant, messageCount: _count, messages: given, ...session } = bundle.session
  const sessionId = preserveId ? session.sessionId : ctx.newId('sess-')
  const bytes = sizeOf(given)
  const stored: StoredMessage[] = given.map((message, at) => ({ ...message, place: placeOf(sessionId, at + 1), sessionId, seq: at + 1 }))
  let kept: StoredSession
  try {
    kept = await atomically(async (tx) => {
      const inserted = await sessions.in(tx).insert({ ...session, sessionId, messageCount: given.length, bytes })
      for (let from = 0; from < stored.length; from += AT_ONCE) await messages.in(tx).insertMany(stored.slice(from, from + AT_ONCE))
      for (const index of indexes) await index.due(sessionId, tx)
      return inserted
    })
  } catch (error) {
    if (!isToolError(error) || error.code !== 'DUPLICATE_KEY') throw error
    throw Conflict({
      message: `A session ${sessionId} exists already; import it without preserveId for a fresh id.`,
      field: 'bundle.session.sessionId',
    })
  }
  try {
    for (const index of indexes) await index.refresh(sessionId)
  } catch (error) {
    // The session is stored, and its note brings it into the index within a minute.
    ctx.log.warn('An imported session was not indexed yet', { sessionId, err: error })
  }
  return kept
}

/** Checks what the schema of a bundle cannot express; the tool has it checked before the import. */
export function checkBundle({ exportedAt, session }: Bundle): void {
  checkTime('bundle.exportedAt', exportedAt)
  checkTime('bundle.session.createdAt', session.createdAt)
  checkTime('bundle.session.updatedAt', session.updatedAt)
  if (session.closedAt !== undefined) checkTime('bundle.session.closedAt', session.closedAt)
  checkMetadata('bundle.session.metadata', session.metadata)
  for (const [at, { createdAt, metadata }] of session.messages.entries()) {
    checkTime(`bundle.session.messages[${at}].createdAt`, createdAt)
    checkMetadata(`bundle.session.messages[${at}].metadata`, metadata)
  }
  const bytes = sizeOf(session.messages)
  if (bytes > MAX_SESSION_BYTES)
    throw BadRequest({
      field: 'bundle.session.messages',
      message: `\`bundle.session.messages\` must be at most ${MAX_SESSION_BYTES} bytes; got ${bytes}.`,
    })
}

const sizeOf = (messages: Bundle['session']['messages']): number => messages.reduce((sum, message) => sum + bytesOf(message), 0)

/** Times are compared as text, so they must all have the same format. */
function checkTime(field: string, value: string): void {
  const time = new Date(value)
  if (Number.isNaN(time.getTime()) || time.toISOString() !== value)
    throw BadRequest({
      field,
      message: `\`${field}\` must be a time in UTC with milliseconds, such as 2026-01-31T09:00:00.000Z; got ${JSON.stringify(value)}.`,
    })
}
