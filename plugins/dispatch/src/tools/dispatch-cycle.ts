import { closed, defineTool, Type } from '@gateway/sdk'
import { cycleUses, runCycle } from '../operations/cycle.ts'
import { CycleResult } from '../schema.ts'

const TASKS = { default: 3, max: 50 }

export const dispatchCycle = defineTool({
  name: 'dispatch_cycle',
  description:
    'Run one round of dispatching, unless a budget is used up: of the first claimable tasks, agents that run here do theirs, with their tools; the others are offered by mail and left to runners. A task on offer is skipped until nobody has taken it for a while. Returns {dispatched, waitingForRunner, reason?}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/orchestration/dispatch-cycles',
  input: Type.Object(
    {
      maxTasks: Type.Optional(
        Type.Integer({ minimum: 1, default: TASKS.default, description: `At most ${TASKS.max}; more means ${TASKS.max}.` }),
      ),
      dailySpendCapUsd: Type.Optional(Type.Number({ minimum: 0, description: 'Dispatch nothing once this much is spent today.' })),
      chatId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Chat to notify of the round.' })),
    },
    closed,
  ),
  output: CycleResult,
  uses: cycleUses,
  handle: ({ maxTasks = TASKS.default, ...order }, refs, ctx) => runCycle(refs, { maxTasks: Math.min(maxTasks, TASKS.max), ...order }, ctx),
})
