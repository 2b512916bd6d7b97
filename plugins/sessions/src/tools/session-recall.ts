import { closed, cutText, defineTool, Type } from '@gateway/sdk'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'
import { detailOf } from '../operations/read.ts'
import { digestOf } from '../rules/digest.ts'
import { agentName, Session } from '../schema.ts'

const SESSIONS = { default: 5, max: 20 }
const MESSAGES = { default: 4, max: 20 }
/** Limit of one message; session_export has it whole. */
const MAX_SHOWN = 2_000

export const sessionRecall = defineTool({
  name: 'session_recall',
  description:
    'Recall recent conversations, those of one agent or of all, the newest first, each with its last messages. Returns {sessions, digest}; digest is Markdown to be put before an agent.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      agentName: Type.Optional(agentName),
      limit: Type.Optional(
        Type.Integer({ default: SESSIONS.default, minimum: 1, description: `Number of sessions, at most ${SESSIONS.max}.` }),
      ),
      perSessionMessages: Type.Optional(
        Type.Integer({
          default: MESSAGES.default,
          minimum: 0,
          description: `Messages per session, at most ${MESSAGES.max}; long ones are cut.`,
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ sessions: Type.Array(Session), digest: Type.String() }, closed),
  uses: { sessions, messages, config },
  async handle({ agentName, limit = SESSIONS.default, perSessionMessages = MESSAGES.default }, uses, ctx) {
    // Sessions of hosts have no messages.
    const where = agentName === undefined ? { host: null } : { agentName }
    const { items } = await uses.sessions.find({ where, sort: { updatedAt: -1 }, limit: Math.min(limit, SESSIONS.max) })
    const last = Math.min(perSessionMessages, MESSAGES.max)
    const found = await Promise.all(items.map((session) => detailOf(session, uses, ctx, last)))
    const shown = found.map((session) => ({
      ...session,
      messages: session.messages.map((message) => ({ ...message, content: cutText(message.content, MAX_SHOWN) })),
    }))
    return { sessions: shown, digest: digestOf(shown) }
  },
})
