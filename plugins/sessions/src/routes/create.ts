import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { sessionRunner } from '../api.ts'
import { sessions } from '../collections.ts'
import { checkMetadata } from '../rules/metadata.ts'
import { agentName, metadata, STATUSES } from '../schema.ts'

export const createSession = defineRoute({
  name: 'sessions.create',
  description: 'Begin a conversation with an agent. Returns its id, the agent and the status.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/sessions',
  status: 201,
  input: Type.Object({ agentName, metadata: Type.Optional(metadata) }, closed),
  output: Type.Object({ sessionId: Type.String(), agentName: Type.String(), status: Type.Enum(STATUSES) }, closed),
  uses: { sessions, runners: sessionRunner },
  async handle({ agentName, metadata }, { sessions, runners }, ctx) {
    checkMetadata('metadata', metadata)
    // Without a runner that knows agents, a missing agent cannot be detected.
    const known = await Promise.all(runners.map((runner) => runner.knows(agentName)))
    if (known.length > 0 && !known.includes(true)) throw NotFound({ what: 'agent', id: agentName })
    const at = ctx.now().toISOString()
    const counts = { messageCount: 0, bytes: 0 }
    const session = { sessionId: ctx.newId('sess-'), agentName, status: 'active' as const, createdAt: at, updatedAt: at, ...counts }
    const { sessionId, status } = await sessions.insert({ ...session, ...(metadata && { metadata }) })
    return { sessionId, agentName, status }
  },
})
