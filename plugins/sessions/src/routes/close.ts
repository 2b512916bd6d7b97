import { closed, defineRoute, now, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { sessionId } from '../schema.ts'

export const closeSession = defineRoute({
  name: 'sessions.close',
  description:
    'Close a conversation: it takes no more messages, but can still be read and exported. Returns {status: closed}, also if it was closed before or does not exist.',
  capability: 'work',
  effect: 'write',
  rest: 'DELETE /api/sessions/:id',
  input: Type.Object({ id: sessionId }, closed),
  output: Type.Object({ status: Type.Literal('closed') }, closed),
  uses: { sessions },
  async handle({ id }, { sessions }) {
    await sessions.updateOne(id, { set: { status: 'closed', closedAt: now(), updatedAt: now() } }, { status: 'active' })
    return { status: 'closed' as const }
  },
})
