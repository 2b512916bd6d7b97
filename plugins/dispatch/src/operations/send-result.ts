import { type Draft, mailbox } from '@gateway/plugin-mailbox/api'
import { atomically, type Infer, type Resolved } from '@gateway/sdk'
import { results } from '../collections.ts'

export const sendUses = { mail: mailbox, results, atomically }
type Refs = Resolved<typeof sendUses>
type Sent = Infer<typeof results.schema>

/**
 * Mails the result of a task, or returns the mail that has reported it already: the same outcome of the same claim. Without a claim, the
 * outcome is the same unless this call has ended the task (`isEnded`), which may have failed before.
 */
export function sendResult(
  refs: Refs,
  reported: Pick<Sent, 'taskId' | 'outcome' | 'claimId'>,
  isEnded: boolean,
  letter: Draft,
): Promise<Pick<Sent, 'messageId' | 'to'>> {
  const { taskId, outcome, claimId } = reported
  return refs.atomically(async (tx) => {
    const own = refs.results.in(tx)
    const last = await own.get(taskId)
    const isRepeated = last?.outcome === outcome && last.claimId === claimId && (claimId !== undefined || !isEnded)
    if (last && isRepeated) return last
    if (last) await own.deleteOne(taskId)
    const { messageId, to } = await refs.mail.postIn(tx, letter)
    await own.insert({ ...reported, messageId, to, sentAt: tx.now.toISOString() })
    return { messageId, to }
  })
}
