import { closed, defineRoute, Type } from '@gateway/sdk'
import { endSession } from '../operations/end-session.ts'
import { hostUses } from '../operations/host-uses.ts'
import { ENDINGS, STATUSES, sessionId } from '../schema.ts'

const lines = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 200, description }))

export const endHostSession = defineRoute({
  name: 'sessions.end',
  description:
    'End a session of a host: its observations, its work in git and its handoff become one atom, and its branch of the brain is merged. Returns {sessionId, status, merged, note?}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/sessions/:id/end',
  input: Type.Object(
    {
      id: sessionId,
      ending: Type.Optional(Type.Enum(ENDINGS, { default: 'ended' })),
      gitBranch: Type.Optional(Type.String({ maxLength: 300 })),
      commits: lines('New commits, one line each, the newest first.'),
      uncommitted: lines('Uncommitted files, one line each.'),
      summary: Type.Optional(Type.String({ maxLength: 4_000, description: 'Result in words, for a session that writes no handoff.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      sessionId: Type.String(),
      status: Type.Enum(STATUSES, { description: 'active: it reported steps meanwhile, which its next end keeps.' }),
      merged: Type.Boolean(),
      note: Type.Optional(Type.String({ description: 'Says why a branch stays open.' })),
    },
    closed,
  ),
  uses: hostUses,
  handle: ({ id, ending = 'ended', gitBranch, commits = [], uncommitted = [], summary }, uses, ctx) =>
    endSession(id, { ending, gitBranch, commits, uncommitted, summary }, uses, ctx),
})
