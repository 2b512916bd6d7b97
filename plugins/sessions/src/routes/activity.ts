import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { sessionRecords } from '../api.ts'
import { messages, sessions } from '../collections.ts'
import { activityOf } from '../operations/activity.ts'
import { summaryOf } from '../operations/read.ts'
import { Summary, sessionId } from '../schema.ts'

const MAX_DEEDS = 500

export const sessionActivity = defineRoute({
  name: 'sessions.activity',
  description: `Read the activity of a session: the records of all families that carry its id, newest first, at most ${MAX_DEEDS}. Returns {sessionId, session?, count, activity}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/sessions/:id/activity',
  input: Type.Object({ id: sessionId }, closed),
  output: Type.Object(
    {
      sessionId: Type.String(),
      session: Type.Optional({ ...Summary, description: 'Absent if only records name the session.' }),
      count: Type.Integer(),
      activity: Type.Array(
        Type.Object(
          {
            at: Type.String(),
            kind: Type.String({ description: 'step, atom, handoff, memory, message, begun or ended.' }),
            title: Type.String(),
            text: Type.Optional(Type.String()),
            repo: Type.Optional(Type.String()),
            id: Type.Optional(Type.String({ description: 'Id of the record in its family.' })),
          },
          closed,
        ),
      ),
      truncated: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  uses: { sessions, messages, records: sessionRecords },
  async handle({ id }, uses, ctx) {
    const session = await uses.sessions.get(id)
    const deeds = await activityOf(id, session, MAX_DEEDS + 1, uses, ctx)
    if (!session && deeds.length === 0) throw NotFound({ what: 'session', id })
    const activity = deeds.slice(0, MAX_DEEDS)
    return {
      sessionId: id,
      ...(session && { session: summaryOf(session, ctx) }),
      count: activity.length,
      activity,
      ...(deeds.length > MAX_DEEDS && { truncated: true }),
    }
  },
})
