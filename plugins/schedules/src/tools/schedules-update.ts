import { BadRequest, closed, defineTool, ifUpdatedAt, NotFound, Type } from '@gateway/sdk'
import { changeSchedule, changeUses, concernsRuns, without } from '../operations/change.ts'
import { preview } from '../operations/create.ts'
import { receiverUses, requireReceiver } from '../operations/receiver.ts'
import { requireTarget, targetUses } from '../operations/target.ts'
import { checkOrder } from '../rules/tool-call.ts'
import { CLEARABLE, cronExpr, deliverTo, message, name, repo, scheduleId, written } from '../schema.ts'

export const schedulesUpdate = defineTool({
  name: 'schedules_update',
  description:
    'Change a schedule; omitted fields stay, as do kind and target, and `clear` removes optional ones. A new cronExpr counts from now, and so does enabling it. Returns {schedule, nextRuns}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  rest: 'PATCH /api/schedules/:scheduleId',
  input: Type.Object(
    {
      scheduleId,
      name: Type.Optional(name),
      cronExpr: Type.Optional(cronExpr),
      message: Type.Optional(message),
      repo: Type.Optional(repo),
      includeMemoryContext: Type.Optional(Type.Boolean({ description: 'For an agent: begin with the memory of the repo.' })),
      deliverTo: Type.Optional(deliverTo),
      enabled: Type.Optional(Type.Boolean({ description: 'Runs when due.' })),
      clear: Type.Optional(
        Type.Array(Type.Enum(CLEARABLE), {
          maxItems: CLEARABLE.length,
          description: 'Fields to remove. A null removes nothing: it counts as omitted.',
        }),
      ),
      ifUpdatedAt,
    },
    closed,
  ),
  output: written,
  uses: { ...changeUses, ...targetUses, ...receiverUses },
  check({ clear = [], ...given }) {
    const both = clear.find((name) => given[name] !== undefined)
    if (both !== undefined) {
      throw BadRequest({
        field: 'clear',
        message: `\`clear\` must name fields that are not given as well; got ${JSON.stringify(both)}, which is.`,
      })
    }
  },
  async handle({ scheduleId, ifUpdatedAt, ...change }, refs, ctx) {
    const before = await refs.schedules.get(scheduleId)
    if (!before) throw NotFound({ what: 'schedule', id: scheduleId })
    const { clear = [], ...given } = change
    const order = { ...without(before, clear), ...given }
    const nextRuns = preview(order.cronExpr, ctx)
    checkOrder(order)
    requireReceiver(refs, change.deliverTo)
    // A caller that makes it run, or run otherwise, must be allowed to run it.
    if (concernsRuns(change)) await requireTarget(refs, order, ctx)
    return { schedule: await changeSchedule(refs, scheduleId, change, ctx, ifUpdatedAt), nextRuns }
  },
})
