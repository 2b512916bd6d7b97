import { defineTool, withIdempotencyKey } from '@gateway/sdk'
import { ConsentNeeded } from '../errors.ts'
import { planSwarm, planUses } from '../operations/plan.ts'
import { childOf } from '../operations/view.ts'
import { planInput, withChildren } from '../schema.ts'

export const swarmPlan = defineTool({
  name: 'swarm_plan',
  description:
    'Plan a goal as a swarm of up to five child tasks that may wait for one another. They are created paused: nothing runs before swarm_approve. Returns {swarm, children}.',
  capability: 'work',
  effect: 'write',
  app: 'ui://gateway/desk',
  rest: 'POST /api/swarms',
  status: 201,
  input: withIdempotencyKey(planInput),
  output: withChildren({}),
  errors: [ConsentNeeded],
  uses: planUses,
  async handle(args, refs, ctx) {
    const { swarm, children } = await planSwarm(refs, args, ctx)
    return { swarm, children: children.map(childOf) }
  },
})
