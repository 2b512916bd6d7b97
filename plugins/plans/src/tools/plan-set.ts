import { atomically, BadRequest, checkUnchanged, closed, defineTool, ifUpdatedAt, resourceUpdated, Type } from '@gateway/sdk'
import { trashPlan, trashUses } from '../operations/trashing.ts'
import { checkRequest, planDayId, writeDay } from '../rules/days.ts'
import { planUri } from '../rules/plan-uri.ts'
import { days, fireHourUtc, PlanDay, repo, startDate } from '../schema.ts'

export const planSet = defineTool({
  name: 'plan_set',
  description:
    'Write days of the plan of a repo: day 1 is startDate, and each further one a day later; a time within 9:00 to 18:00 of a weekday in Sydney moves to 18:00 there, and one more than a week ago does not fire. Other days stay, and so do fields that you omit, unless replace first moves the whole plan to the trash. Returns {repo, days, trashId?, replacedDays?}.',
  capability: 'work',
  effect: 'destructive',
  rest: 'PUT /api/plans/:repo',
  input: Type.Object(
    {
      repo,
      startDate: Type.Optional(startDate),
      fireHourUtc: Type.Optional(fireHourUtc),
      replace: Type.Optional(
        Type.Boolean({ default: false, description: 'Move all days of the repo to the trash first; plan_restore brings them back.' }),
      ),
      days,
      ifUpdatedAt,
    },
    closed,
  ),
  output: Type.Object(
    {
      repo: Type.String(),
      days: Type.Array(PlanDay, { description: 'Written days.' }),
      trashId: Type.Optional(Type.String({ description: 'Trash entry of the replaced days.' })),
      replacedDays: Type.Optional(Type.Integer({ description: 'Number of replaced days.' })),
    },
    closed,
  ),
  uses: { ...trashUses, atomically, updated: resourceUpdated },
  check({ days, startDate, replace, ifUpdatedAt }) {
    if (ifUpdatedAt !== undefined && (replace || days.length > 1))
      throw BadRequest({
        field: 'ifUpdatedAt',
        message: '`ifUpdatedAt` belongs to one day: give it with exactly one day in `days`, without `replace`.',
      })
    checkRequest(startDate, days)
  },
  async handle({ repo, days: drafts, startDate, fireHourUtc, replace = false, ifUpdatedAt: expected }, refs, ctx) {
    const { written, trashed } = await refs.atomically(async (tx) => {
      const trashed = replace ? await trashPlan(refs, { repo }, ctx, tx) : undefined
      const planDays = refs.planDays.in(tx)
      const standing = await planDays.getMany(drafts.map(({ day }) => planDayId(repo, day)))
      checkUnchanged(standing[0], expected)
      const byDay = new Map(standing.map((one) => [one.day, one]))
      const written = drafts.map((draft) => writeDay(repo, draft, { startDate, fireHourUtc }, byDay.get(draft.day), tx.now))
      for (const day of written) {
        const { planDayId: _id, ...fields } = day
        const unset = (['taskId', 'past'] as const).filter((name) => fields[name] === undefined)
        await planDays.upsert(day, { set: fields, ...(unset.length > 0 && { unset }) })
      }
      return { written: written.sort((a, b) => a.day - b.day), trashed }
    })
    refs.updated.emit({ uri: planUri(repo) })
    if (!trashed) return { repo, days: written }
    const replaced = { trashId: trashed.trashId, replacedDays: trashed.days.length }
    ctx.audit('plan.trash', { repo, trashId: trashed.trashId, dayCount: trashed.days.length })
    return { repo, days: written, ...replaced }
  },
})
