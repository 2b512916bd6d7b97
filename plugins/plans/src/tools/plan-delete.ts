import { atomically, closed, defined, defineTool, NotFound, resourceUpdated, Type } from '@gateway/sdk'
import { trashPlan, trashUses } from '../operations/trashing.ts'
import { planUri } from '../rules/plan-uri.ts'
import { reason, repo } from '../schema.ts'

export const planDelete = defineTool({
  name: 'plan_delete',
  description: 'Move the whole plan of a repo to the trash, as one entry; plan_restore brings it back. Returns {trashId, dayCount}.',
  capability: 'work',
  effect: 'destructive',
  rest: 'DELETE /api/plans/:repo',
  input: Type.Object({ repo, reason: Type.Optional(reason) }, closed),
  output: Type.Object({ trashId: Type.String(), dayCount: Type.Integer() }, closed),
  uses: { ...trashUses, atomically, updated: resourceUpdated },
  async handle({ repo, reason }, refs, ctx) {
    const trashed = await refs.atomically((tx) => trashPlan(refs, { repo, reason }, ctx, tx))
    if (!trashed) throw NotFound({ what: 'plan of repo', id: repo })
    const removed = { trashId: trashed.trashId, dayCount: trashed.days.length }
    ctx.audit('plan.trash', { repo, ...removed, ...defined({ reason }) })
    refs.updated.emit({ uri: planUri(repo) })
    return removed
  },
})
