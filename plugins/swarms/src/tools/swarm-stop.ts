import { closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { stopSwarm, stopUses } from '../operations/stop.ts'
import { answer } from '../operations/view.ts'
import { actor, swarmId, withChildren } from '../schema.ts'

export const swarmStop = defineTool({
  name: 'swarm_stop',
  description:
    'Stop a swarm at once: its pending and working children are paused, and its creator and workers get mail. A session that is under way is not killed. Returns {swarm, children, paused, mailed}, how many children were paused and messages sent.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/swarms/:swarmId/stop',
  input: Type.Object(
    {
      swarmId,
      stoppedBy: actor('Who stops it. Default: the label of your key, or `operator`.'),
      reason: Type.Optional(Type.String({ maxLength: 2_000, description: 'Reason, included in the mail.' })),
      ifUpdatedAt,
    },
    closed,
  ),
  output: withChildren({ paused: Type.Integer(), mailed: Type.Integer() }),
  uses: stopUses,
  async handle({ swarmId, stoppedBy, reason, ifUpdatedAt }, refs, { principal }) {
    const { swarm, paused, mailed } = await stopSwarm(refs, {
      swarmId,
      stoppedBy: stoppedBy ?? principal.label ?? 'operator',
      principal,
      reason,
      ifUpdatedAt,
    })
    return { ...(await answer(refs, swarm)), paused, mailed }
  },
})
