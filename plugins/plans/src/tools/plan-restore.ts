import { atomically, BadRequest, closed, defineTool, NotFound, resourceUpdated, Type } from '@gateway/sdk'
import { summary, TRASH_KIND, trashUses } from '../operations/trashing.ts'
import { restoredDay } from '../rules/days.ts'
import { planUri } from '../rules/plan-uri.ts'
import { PlanDay, repo } from '../schema.ts'

export const planRestore = defineTool({
  name: 'plan_restore',
  description:
    'Bring a plan back from the trash, by its trashId, or by its repo (the newest entry); trashId wins. A day whose number is taken stays in the trash under the same trashId. Returns {repo, restoredDays, skippedConflicts, days, conflictingDays}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/plans/restore',
  input: Type.Object(
    {
      trashId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Id of the trash entry (trash-…).' })),
      repo: Type.Optional(repo),
    },
    closed,
  ),
  output: Type.Object(
    {
      repo: Type.String(),
      restoredDays: Type.Integer({ description: 'Number of restored days.' }),
      skippedConflicts: Type.Integer({ description: 'Number of days that stay in the trash.' }),
      days: Type.Array(PlanDay, { description: 'Restored days.' }),
      conflictingDays: Type.Array(Type.Integer(), { description: 'Numbers of the days that stay in the trash.' }),
    },
    closed,
  ),
  uses: { ...trashUses, atomically, updated: resourceUpdated },
  check: ({ trashId, repo }) => void either(trashId, repo),
  async handle({ trashId, repo }, refs, ctx) {
    const id = either(trashId, repo)
    const restored = await refs.atomically(async (tx) => {
      const entry = await refs.trash.take({ kind: TRASH_KIND, trashId, itemId: repo }, tx)
      if (!entry) throw NotFound({ what: trashId === undefined ? 'plan in the trash of repo' : 'trash entry of a plan', id })
      const planDays = refs.planDays.in(tx)
      const all = entry.payload as readonly PlanDay[]
      const taken = new Set((await planDays.getMany(all.map(({ planDayId }) => planDayId))).map(({ planDayId }) => planDayId))
      const days = all.filter(({ planDayId }) => !taken.has(planDayId)).map((day) => restoredDay(day, tx.now))
      const skipped = all.filter(({ planDayId }) => taken.has(planDayId))
      for (const day of days) await planDays.insert(day)
      if (skipped.length > 0) await refs.trash.giveBack({ ...entry, ...summary(entry.itemId, skipped), payload: skipped }, tx)
      return { trashId: entry.trashId, repo: entry.itemId, days, skipped }
    })
    const counts = { restoredDays: restored.days.length, skippedConflicts: restored.skipped.length }
    ctx.audit('plan.restore', { repo: restored.repo, trashId: restored.trashId, ...counts })
    refs.updated.emit({ uri: planUri(restored.repo) })
    return { repo: restored.repo, ...counts, days: restored.days, conflictingDays: restored.skipped.map(({ day }) => day) }
  },
})

function either(trashId: string | undefined, repo: string | undefined): string {
  const id = trashId ?? repo
  if (id === undefined) throw BadRequest({ field: 'trashId', message: '`trashId` or `repo` is required; got neither.' })
  return id
}
