import { closed, defineRoute, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { summaryOf } from '../operations/read.ts'
import { Summary } from '../schema.ts'

const MAX_ROWS = 500

export const listSessions = defineRoute({
  name: 'sessions.list',
  description: `List the conversations with agents, without their messages, newest first, at most ${MAX_ROWS}; truncated is true if there are more.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/sessions',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), sessions: Type.Array(Summary), truncated: Type.Optional(Type.Boolean()) }, closed),
  uses: { sessions },
  async handle(_args, { sessions }, ctx) {
    const { items, nextCursor } = await sessions.find({ sort: { updatedAt: -1 }, limit: MAX_ROWS })
    const rows = items.map((session) => summaryOf(session, ctx))
    return { count: rows.length, sessions: rows, ...(nextCursor !== undefined && { truncated: true }) }
  },
})
