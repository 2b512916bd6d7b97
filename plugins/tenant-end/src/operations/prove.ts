import type { CallContext, Resolved } from '@gateway/sdk'
import type { Ending, Late } from '../schema.ts'
import type { removalUses } from './remove-tenant.ts'

type Refs = Resolved<typeof removalUses>
type Files = 'done' | 'later'

/**
 * Writes the proof of a removal to the operator's audit trail. The sweep that records its beginning also proves; one that had
 * begun before this sweep was killed, and its proof may or may not exist.
 */
export async function prove(refs: Refs, ending: Ending, files: Files, ctx: CallContext): Promise<void> {
  const { ended, asked, counted, startedAt, proofId = ctx.newId('removal-') } = ending
  const finishedAt = ctx.now().toISOString()
  const endings = refs.endings.writable()
  const begun = ending.phase === 'proving'
  if (!begun && !(await endings.updateOne(ended, { set: { phase: 'proving', proofId } }, { phase: 'removing' }))) return
  if (!begun || !(await refs.removal.isProven(proofId, startedAt))) {
    const details = { tenantId: ended, asked, counted, left: 0, files, startedAt, finishedAt }
    await refs.removal.prove(proofId, 'tenant.removed', details)
  }
  await endings.updateOne(ended, { set: { phase: 'done', finishedAt } }, { phase: 'proving' })
}

export async function proveLate(refs: Refs, ended: string, { counted, proofId, foundAt }: Late, files: Files): Promise<void> {
  if (!(await refs.removal.isProven(proofId, foundAt)))
    await refs.removal.prove(proofId, 'tenant.removed-late', { tenantId: ended, counted, files })
  await refs.endings.writable().updateOne(ended, { unset: ['late'] })
}
