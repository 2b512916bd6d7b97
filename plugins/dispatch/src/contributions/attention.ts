import { runnerAddresses } from '@gateway/plugin-runners/api'
import type { Task } from '@gateway/plugin-tasks/api'
import {
  type AttentionSource,
  attentionSource,
  type CallContext,
  contribute,
  cutText,
  DAY_SECONDS,
  optional,
  type Resolved,
} from '@gateway/sdk'
import { config } from '../config.ts'
import { plannedRun, runHereUses } from '../operations/run-here.ts'
import { NO_MODEL, runnerAdvice, SWITCHED_OFF, unservedItem } from '../rules/unserved.ts'

const uses = { config, queue: runHereUses.queue, runners: runHereUses.runners, addresses: optional(runnerAddresses) }
type Refs = Resolved<typeof uses>

const MAX_TEXT = 500

/** Tasks that nobody will take: no runner serves their repo and agent, or the gateway cannot execute them. */
export const unservedTasks = contribute(attentionSource, {
  uses,
  create: (refs, ctx): AttentionSource => ({
    kind: 'unserved',
    capability: 'work',
    alertAfterSeconds: DAY_SECONDS,
    async look(limit) {
      const before = new Date(ctx.now().getTime() - refs.config.unservedMinutes * 60_000).toISOString()
      const waiting = await refs.queue.unattended(before)
      if (waiting.length === 0 || (await refs.queue.closed()) !== undefined) return { count: 0, items: [] }
      const heard = (await refs.addresses?.heard()) ?? 'never'
      const advised = await Promise.all(waiting.map(async (task) => ({ task, advice: await adviceFor(refs, task, heard, ctx) })))
      const items = advised.flatMap(({ task, advice }) => (advice === undefined ? [] : [unservedItem(task, cutText(advice, MAX_TEXT))]))
      return { count: items.length, items: items.slice(0, limit) }
    },
  }),
})

/** Advice for a task; `undefined` for one that the gateway will execute. */
async function adviceFor(refs: Refs, task: Task, heard: 'lately' | 'earlier' | 'never', ctx: CallContext): Promise<string | undefined> {
  const planned = await plannedRun(refs, task, ctx)
  if (planned === 'later') return NO_MODEL
  if (planned) return refs.config.runHere ? undefined : SWITCHED_OFF
  for (const runner of refs.runners) {
    const obstacle = await runner.obstacle(task)
    if (obstacle !== undefined) return obstacle
  }
  return runnerAdvice(heard, task)
}
