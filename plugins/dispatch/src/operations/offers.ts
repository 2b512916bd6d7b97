import { mailbox } from '@gateway/plugin-mailbox/api'
import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, type Resolved, type Transaction } from '@gateway/sdk'
import { offers } from '../collections.ts'

export const offerUses = { queue: taskQueue, mail: mailbox, offers, atomically }
type Refs = Resolved<typeof offerUses>

const SENDER = 'dispatch'

export interface Offered {
  readonly taskId: string
  readonly title: string
  readonly to: string
  readonly messageId: string
}

/** Choices of an offer: `to` names the receiver of a task, and `stands` tells whether an earlier offer is recent enough to leave it alone. */
interface Offering {
  readonly to: (task: Task) => string | undefined
  readonly stands: (offeredAt: string, at: Date) => boolean
}

/**
 * Offers a task by mail. The offer and its mail are written together, by exactly one of several concurrent cycles. A later offer of the
 * same task replaces the earlier mail, so that a task waits in one inbox once.
 */
export async function offer(refs: Refs, { taskId }: Task, offering: Offering): Promise<Offered | undefined> {
  const offered = await write(refs, taskId, offering)
  if (!offered) return undefined
  // A claim that another node committed meanwhile has looked for the offer before it was there.
  if ((await refs.queue.get(taskId))?.stage === 'ready') return offered
  await refs.atomically((tx) => withdrawOffer(refs, taskId, tx))
  return undefined
}

function write(refs: Refs, taskId: string, { to: receiver, stands }: Offering): Promise<Offered | undefined> {
  return refs.atomically(async (tx) => {
    const task = await refs.queue.get(taskId, tx)
    if (task?.stage !== 'ready') return undefined
    const last = await refs.offers.in(tx).get(taskId)
    if (last && stands(last.offeredAt, tx.now)) return undefined
    const to = receiver(task)
    if (to === undefined) return undefined
    if (last?.messageId !== undefined) await refs.mail.withdraw(last.messageId, tx)
    const { messageId } = await refs.mail.postIn(tx, { to, from: SENDER, kind: 'dispatch', ...letter(task) })
    const set = { to, offeredAt: tx.now.toISOString(), messageId }
    await refs.offers.in(tx).upsert({ taskId, ...set }, { set })
    return { taskId, title: task.title, to, messageId }
  })
}

/** Takes an offer back, with its mail unless that is acked: the task was taken, ended or removed. One read for a task that was not offered. */
export async function withdrawOffer({ offers, mail }: Pick<Refs, 'offers' | 'mail'>, taskId: string, tx: Transaction): Promise<void> {
  const gone = await offers.in(tx).deleteOne(taskId)
  if (gone?.messageId !== undefined) await mail.withdraw(gone.messageId, tx)
}

function letter({ taskId, title, repo, priority }: Task): { subject: string; body: string } {
  return {
    subject: title,
    body: `Task ${taskId} (${priority}, repo ${repo}) is yours to do. Take it with tasks_claim {"taskId": "${taskId}"}; the first to claim it gets it.`,
  }
}
