import { type CallContext, type Collection, cutText } from '@gateway/sdk'
import type { SessionDeed, SessionRecords } from '../api.ts'
import type { StoredMessage, StoredSession } from '../schema.ts'

interface ActivityUses {
  readonly messages: Collection<StoredMessage>
  readonly records: readonly SessionRecords[]
}

const MAX_TEXT = 600

/** Returns the records that carry the id of a session, the newest first. A family that fails is left out and logged. */
export async function activityOf(
  sessionId: string,
  session: StoredSession | undefined,
  limit: number,
  { messages, records }: ActivityUses,
  ctx: Pick<CallContext, 'log'>,
): Promise<readonly SessionDeed[]> {
  const lists = await Promise.all(
    records.map(async (source) => {
      try {
        return await source.of(sessionId, limit)
      } catch (error) {
        ctx.log.warn('a plugin did not return the activity of a session', { sessionId, err: error })
        return []
      }
    }),
  )
  const said = session ? (await messages.find({ where: { sessionId }, sort: { seq: -1 }, limit })).items : []
  const all = [...lists.flat(), ...said.map(messageDeed), ...(session ? frameOf(session) : [])]
  return all
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, limit)
    .map(({ text, ...deed }) => (text === undefined ? deed : { ...deed, text: cutText(text, MAX_TEXT) }))
}

const messageDeed = ({ createdAt, role, content, messageId }: StoredMessage): SessionDeed => ({
  at: createdAt,
  kind: 'message',
  title: role,
  text: content,
  id: messageId,
})

function frameOf({ createdAt, closedAt, agentName, machine, ending, host }: StoredSession): readonly SessionDeed[] {
  if (host === undefined) return []
  const begun = { at: createdAt, kind: 'begun', title: `${agentName}${machine === undefined ? '' : ` on ${machine}`}` }
  return closedAt === undefined ? [begun] : [{ at: closedAt, kind: 'ended', title: ending ?? 'closed' }, begun]
}
