import { taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, checkUnchanged, closed, defineTool, ifUpdatedAt, now, principalName, Type } from '@gateway/sdk'
import { pauseIfOverBudget, pauseUses } from '../operations/budget.ts'
import { answer, unknownSwarm } from '../operations/view.ts'
import { actor, swarmId, withChildren } from '../schema.ts'

export const swarmUpdateBudget = defineTool({
  name: 'swarm_update_budget',
  description:
    'Set how many output tokens a swarm may spend before it is paused. After such a pause: raise the budget here, then call swarm_approve. Returns {swarm, children}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'PUT /api/swarms/:swarmId/budget',
  input: Type.Object(
    {
      swarmId,
      tokenBudget: Type.Number({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Output tokens of all children together; a fraction is dropped. An active swarm that has spent as much is paused.',
      }),
      by: actor('Who sets it. Default: the label of your key, or `operator`.'),
      ifUpdatedAt,
    },
    closed,
  ),
  output: withChildren({}),
  uses: { ...pauseUses, atomically, queue: taskQueue },
  async handle({ swarmId, tokenBudget, by, ifUpdatedAt: expected }, refs, { principal }) {
    const setBy = { budgetSetBy: by ?? principal.label ?? 'operator', budgetSetByPrincipal: principalName(principal) }
    const swarm = await refs.atomically(async (tx) => {
      if (expected !== undefined) checkUnchanged(await refs.swarms.in(tx).get(swarmId), expected)
      const set = { tokenBudget: Math.floor(tokenBudget), ...setBy, updatedAt: now() }
      const changed = await refs.swarms.in(tx).updateOne(swarmId, { set })
      if (!changed) throw unknownSwarm(swarmId)
      return pauseIfOverBudget(refs, changed, refs.queue.swarms(tx), tx)
    })
    return answer(refs, swarm)
  },
})
