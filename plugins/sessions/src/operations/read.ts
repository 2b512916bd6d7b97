import { type CallContext, type Collection, type Infer, NotFound } from '@gateway/sdk'
import type { config } from '../config.ts'
import { messageView } from '../rules/message-view.ts'
import { MAX_MESSAGES, type Message, type Session, type StoredMessage, type StoredSession, type Summary } from '../schema.ts'

export interface ReadUses {
  readonly sessions: Collection<StoredSession>
  readonly messages: Collection<StoredMessage>
  readonly config: Infer<typeof config.schema>
}
type Call = Pick<CallContext, 'tenantId' | 'now'>

export async function sessionOf(sessionId: string, sessions: Collection<StoredSession>): Promise<StoredSession> {
  const session = await sessions.get(sessionId)
  if (!session) throw NotFound({ what: 'session', id: sessionId })
  return session
}

export function summaryOf(
  { bytes: _bytes, process: _process, endingUntil: _claim, ...session }: StoredSession,
  { tenantId }: Call,
): Summary {
  return { ...session, tenantId }
}

/** Returns a session with its last messages, oldest first; with all of them unless `last` gives a number. */
export async function detailOf(session: StoredSession, { messages, config }: ReadUses, ctx: Call, last = MAX_MESSAGES): Promise<Session> {
  const { sessionId } = session
  const found = last === 0 ? [] : (await messages.find({ where: { sessionId }, sort: { seq: -1 }, limit: last })).items
  const views: Message[] = found.map((stored) => messageView(stored, { now: ctx.now(), answerSeconds: config.answerSeconds }))
  return { ...summaryOf(session, ctx), messages: views.reverse() }
}
