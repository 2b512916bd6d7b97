import { closed, defineRoute, Type } from '@gateway/sdk'
import { hostUses } from '../operations/host-uses.ts'
import { recordSteps } from '../operations/record-steps.ts'
import { sessionId } from '../schema.ts'

const MAX_STEPS = 200
const step = Type.Object(
  {
    stepId: Type.String({ minLength: 1, maxLength: 100, description: 'Unique in the session; a step that is sent twice is stored once.' }),
    at: Type.String({ maxLength: 40, description: 'ISO 8601.' }),
    tool: Type.Optional(Type.String({ maxLength: 200 })),
    target: Type.Optional(Type.String({ maxLength: 2_000 })),
    exit: Type.Optional(Type.Enum(['ok', 'error', 'unknown'])),
    files: Type.Optional(Type.Array(Type.String({ maxLength: 500, verbatim: true }), { maxItems: 200 })),
  },
  closed,
)

export const recordSessionSteps = defineRoute({
  name: 'sessions.record-steps',
  description:
    'Record steps of a session of an agent host, tool calls and their outcomes, as observations of the brain. Returns {recorded}.',
  capability: 'work',
  effect: 'write',
  repairsText: true,
  rest: 'POST /api/sessions/:id/steps',
  input: Type.Object(
    { id: sessionId, steps: Type.Array(step, { minItems: 1, maxItems: MAX_STEPS, description: 'Steps in order.' }) },
    closed,
  ),
  output: Type.Object({ recorded: Type.Integer({ description: 'Number of steps that were not stored before.' }) }, closed),
  uses: hostUses,
  handle: async ({ id, steps }, uses) => ({ recorded: await recordSteps(id, steps, uses) }),
})
