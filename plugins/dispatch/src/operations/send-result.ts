import { type Draft, mailbox } from '@gateway/plugin-mailbox/api'
import { taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, defined, type Infer, type Resolved } from '@gateway/sdk'
import { results } from '../collections.ts'
import { attemptOf, letterHash } from '../rules/result.ts'

export const sendUses = { mail: mailbox, queue: taskQueue, results, atomically }
type Refs = Resolved<typeof sendUses>
type Sent = Infer<typeof results.schema>
type Reported = Pick<Sent, 'taskId' | 'outcome' | 'claimId' | 'letterHash' | 'attempt'>

/**
 * Mails the result of a task, or returns the mail that has reported it already: the same outcome of the same claim. A report without a
 * claim is a repetition if it is the same letter about the same try of the task, and this call has not ended the task (`isEnded`).
 */
export function sendResult(
  refs: Refs,
  { taskId, outcome, claimId }: Pick<Sent, 'taskId' | 'outcome' | 'claimId'>,
  isEnded: boolean,
  letter: Draft,
): Promise<Pick<Sent, 'messageId' | 'to'>> {
  return refs.atomically(async (tx) => {
    const own = refs.results.in(tx)
    const last = await own.get(taskId)
    const task = await refs.queue.get(taskId, tx)
    const attempt = task && attemptOf(task)
    const reported = { taskId, outcome, letterHash: letterHash(letter), ...defined({ claimId, attempt }) }
    if (last && isRepetition(reported, last, isEnded)) return last
    if (last) await own.deleteOne(taskId)
    const { messageId, to } = await refs.mail.postIn(tx, letter)
    await own.insert({ ...reported, messageId, to, sentAt: tx.now.toISOString() })
    return { messageId, to }
  })
}

function isRepetition(reported: Reported, last: Reported, isEnded: boolean): boolean {
  if (reported.outcome !== last.outcome || reported.claimId !== last.claimId) return false
  if (reported.claimId !== undefined) return true
  // A task that is gone has not been tried again.
  const isSameTry = reported.attempt === undefined || reported.attempt === last.attempt
  return !isEnded && isSameTry && reported.letterHash === last.letterHash
}
