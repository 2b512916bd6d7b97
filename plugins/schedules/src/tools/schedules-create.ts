import { entitlements, NotEntitled } from '@gateway/plugin-entitlements/api'
import { closed, defineTool, optional, Type, withIdempotencyKey } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { newSchedule, preview } from '../operations/create.ts'
import { receiverUses, requireReceiver } from '../operations/receiver.ts'
import { requireKnownTarget, targetUses } from '../operations/target.ts'
import { checkOrder } from '../rules/tool-call.ts'
import { cronExpr, deliverTo, kind, message, name, repo, target, written } from '../schema.ts'

export const schedulesCreate = defineTool({
  name: 'schedules_create',
  description:
    'Set up a schedule: run an agent, a skill or a tool as an hourly, daily or other job, on a cron expression in UTC. A run may do what you may do, and no more. Returns {schedule, nextRuns}, the next three times it fires.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/schedules',
  status: 201,
  subject: ['name', 'target', 'repo'],
  input: withIdempotencyKey(
    Type.Object(
      {
        name,
        cronExpr,
        kind,
        target,
        message: Type.Optional(message),
        repo: Type.Optional(repo),
        includeMemoryContext: Type.Optional(
          Type.Boolean({ default: false, description: 'For an agent: begin with the memory of the repo.' }),
        ),
        deliverTo: Type.Optional(deliverTo),
        enabled: Type.Optional(Type.Boolean({ default: true, description: 'false: keep it, but do not run it.' })),
      },
      closed,
    ),
  ),
  output: written,
  errors: [NotEntitled],
  uses: { schedules, ...targetUses, ...receiverUses, plan: optional(entitlements) },
  check({ includeMemoryContext = false, ...given }, ctx) {
    preview(given.cronExpr, ctx)
    checkOrder({ ...given, includeMemoryContext })
  },
  async handle({ enabled = true, includeMemoryContext = false, ...given }, { plan, ...refs }, ctx) {
    await plan?.require('schedules')
    const draft = { ...given, enabled, includeMemoryContext }
    const nextRuns = preview(draft.cronExpr, ctx)
    requireReceiver(refs, draft.deliverTo)
    await requireKnownTarget(refs, draft, ctx)
    const schedule = await refs.schedules.insert(newSchedule(draft, ctx.newId('schedule-'), ctx))
    return { schedule, nextRuns }
  },
})
