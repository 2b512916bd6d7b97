import { type CallContext, Conflict, closed, defineTool, NotFound, type OnBehalf, type Resolved, Type } from '@gateway/sdk'
import { keyUses, standing } from '../operations/hand-over.ts'
import { abandoned, giveUp } from '../operations/lost.ts'
import { begun, executeOrder, idle, runUses } from '../operations/run.ts'
import { actingFor } from '../rules/acting.ts'
import { toolCallOf } from '../rules/tool-call.ts'
import { Run, Schedule, scheduleId } from '../schema.ts'

const uses = { ...runUses, ...keyUses }
type Refs = Resolved<typeof uses>

export const schedulesRunNow = defineTool({
  name: 'schedules_run_now',
  description:
    'Run a schedule at once, even a disabled one, and wait for the end. Its next scheduled run stays as it was. Returns {schedule, run}; the run has the result or the error.',
  capability: 'configure',
  effect: 'write',
  openWorld: true,
  rest: 'POST /api/schedules/:scheduleId/run',
  input: Type.Object({ scheduleId }, closed),
  output: Type.Object({ schedule: Schedule, run: Run }, closed),
  uses,
  async handle({ scheduleId }, refs, ctx) {
    const before = await refs.schedules.get(scheduleId)
    if (!before) throw NotFound({ what: 'schedule', id: scheduleId })
    // Refused before it counts as a run.
    toolCallOf(before, refs.runners)
    const mine = await begin(refs, scheduleId, ctx)
    const done = await executeOrder(refs, mine, acting(refs, mine, ctx), ctx)
    if (!done)
      throw Conflict({ field: 'scheduleId', message: `Schedule ${scheduleId} was removed, or its run was given up, during the run.` })
    return { schedule: done.schedule, run: done.run }
  },
})

async function acting(refs: Refs, { actsAs }: Schedule, ctx: CallContext): Promise<OnBehalf> {
  const answers = await standing(refs, actsAs, ctx.tenantId)
  return actingFor(answers ?? actsAs, ctx.principal, answers !== undefined)
}

async function begin(refs: Refs, scheduleId: string, ctx: CallContext): Promise<Schedule> {
  const mine = await take(refs, scheduleId, ctx)
  if (mine) return mine
  const running = await refs.schedules.get(scheduleId)
  if (!running) throw NotFound({ what: 'schedule', id: scheduleId })
  // A retry after a crash must run, and not be refused because of the run that the crash ended.
  const [gone] = await abandoned(refs, [running])
  if (gone) {
    await giveUp(refs, gone)
    const retaken = await take(refs, scheduleId, ctx)
    if (retaken) return retaken
  }
  throw Conflict({
    field: 'scheduleId',
    message: `Schedule ${scheduleId} has been running since ${running.runStartedAt}; its next run can begin when that ends.`,
  })
}

async function take(refs: Refs, scheduleId: string, ctx: CallContext): Promise<Schedule | undefined> {
  return refs.schedules.updateOne(scheduleId, { set: await begun(refs, ctx) }, idle)
}
