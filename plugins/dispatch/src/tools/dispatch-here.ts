import { closed, defineTool, Type } from '@gateway/sdk'
import { cycleUses, runCycle } from '../operations/cycle.ts'
import { CycleResult } from '../schema.ts'

const TASKS = { default: 3, max: 50 }

export const dispatchHere = defineTool({
  name: 'dispatch_here',
  description:
    'Have the first claimable tasks of agents that run here done by them, with their tools, unless a budget is used up; nothing is offered. The gateway does this by itself. Returns {dispatched, waitingForRunner, reason?}.',
  capability: 'work',
  effect: 'write',
  listing: 'family-only',
  input: Type.Object(
    {
      maxTasks: Type.Optional(
        Type.Integer({ minimum: 1, default: TASKS.default, description: `At most ${TASKS.max}; more means ${TASKS.max}.` }),
      ),
      settledSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 3_600,
          default: 0,
          description: 'Tasks that were changed within this number of seconds are left alone: their authors may still go on with them.',
        }),
      ),
    },
    closed,
  ),
  output: CycleResult,
  uses: cycleUses,
  handle: ({ maxTasks = TASKS.default, settledSeconds }, refs, ctx) =>
    runCycle(refs, { maxTasks: Math.min(maxTasks, TASKS.max), onlyHere: true, settledSeconds }, ctx),
})
