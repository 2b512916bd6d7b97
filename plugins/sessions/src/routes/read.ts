import { closed, defineRoute, Type } from '@gateway/sdk'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'
import { detailOf, sessionOf } from '../operations/read.ts'
import { Session, sessionId } from '../schema.ts'

const LAST = 20

export const readSession = defineRoute({
  name: 'sessions.read',
  description: `Read a conversation. Returns it with its last ${LAST} messages, oldest first, and its metadata.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/sessions/:id',
  input: Type.Object({ id: sessionId }, closed),
  output: Session,
  uses: { sessions, messages, config },
  handle: async ({ id }, uses, ctx) => detailOf(await sessionOf(id, uses.sessions), uses, ctx, LAST),
})
