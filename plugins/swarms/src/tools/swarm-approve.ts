import { callerName, closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { SwarmOverBudget } from '../errors.ts'
import { approveSwarm, approveUses } from '../operations/approve.ts'
import { answer } from '../operations/view.ts'
import { actor, swarmId, withChildren } from '../schema.ts'

export const swarmApprove = defineTool({
  name: 'swarm_approve',
  description:
    'Approve a paused or stopped swarm: its paused children become claimable, each after those it depends on. A swarm that has spent its token budget needs swarm_update_budget first. Returns {swarm, children, approved}, the number of children approved.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/swarms/:swarmId/approve',
  input: Type.Object({ swarmId, approvedBy: actor('Who approves. Default: the label of your key, or your id.'), ifUpdatedAt }, closed),
  output: withChildren({ approved: Type.Integer() }),
  errors: [SwarmOverBudget],
  uses: approveUses,
  async handle({ swarmId, approvedBy, ifUpdatedAt }, refs, ctx) {
    const by = approvedBy ?? callerName(ctx.principal)
    const { swarm, approved } = await approveSwarm(refs, { swarmId, approvedBy: by, principal: ctx.principal, ifUpdatedAt })
    ctx.audit('swarm.approve', { swarmId, approvedBy: by, approved })
    return { ...(await answer(refs, swarm)), approved }
  },
})
