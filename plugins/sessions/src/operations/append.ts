import { type Collection, Conflict, NotFound, type Transaction } from '@gateway/sdk'
import type { SessionIndex } from '../api.ts'
import { bytesOf } from '../rules/message-view.ts'
import { placeOf } from '../rules/place.ts'
import { MAX_MESSAGES, MAX_SESSION_BYTES, type Message, type StoredMessage, type StoredSession } from '../schema.ts'

interface AppendUses {
  readonly indexes: readonly SessionIndex[]
  readonly sessions: Collection<StoredSession>
  readonly messages: Collection<StoredMessage>
}

/** Appends the next message of a session, in `tx`. With `ifActive`, CONFLICT when the session is closed or full. */
export async function append(
  {
    sessionId,
    message,
    ifActive,
  }: { readonly sessionId: string; readonly message: Omit<Message, 'createdAt'>; readonly ifActive: boolean },
  { sessions, messages, indexes }: AppendUses,
  tx: Transaction,
): Promise<StoredMessage> {
  const before = await sessions.in(tx).get(sessionId)
  if (!before) throw NotFound({ what: 'session', id: sessionId })
  const bytes = bytesOf(message)
  if (ifActive) refuseUnlessOpen(before, bytes)
  const createdAt = tx.now.toISOString()
  const after = await sessions.in(tx).updateOne(sessionId, { inc: { messageCount: 1, bytes }, set: { updatedAt: createdAt } })
  const seq = after?.messageCount ?? before.messageCount + 1
  const stored = await messages.in(tx).insert({ place: placeOf(sessionId, seq), sessionId, seq, ...message, createdAt })
  for (const index of indexes) await index.add(before, [stored], tx)
  return stored
}

function refuseUnlessOpen({ sessionId, status, messageCount, bytes }: StoredSession, more: number): void {
  if (status === 'closed') throw Conflict({ message: `The session ${sessionId} is closed; begin a new one.` })
  // Space for the answer is reserved, so that it is never lost for lack of space.
  if (messageCount + 2 > MAX_MESSAGES || bytes + more + ANSWER_BYTES > MAX_SESSION_BYTES)
    throw Conflict({ message: `The session ${sessionId} is full: it has ${messageCount} messages and ${bytes} bytes. Begin a new one.` })
}
const ANSWER_BYTES = 400_000
