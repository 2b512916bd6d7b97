import { type CallContext, now, type Query, type Resolved, type Transaction } from '@gateway/sdk'
import { runChannels } from '../api.ts'
import { deliveries } from '../collections.ts'
import type { Delivery } from '../schema.ts'

export const deliveryUses = { deliveries, channels: runChannels }
type Refs = Resolved<typeof deliveryUses>

/** Time that a channel has to take a result; afterwards the process that had it counts as stopped. */
const LEASE_SECONDS = 120
const MAX_ATTEMPTS = 5

export const channelOf = ({ channels }: Pick<Refs, 'channels'>, name: string) => channels.find((one) => one.has(name))

/** Deliveries whose process stopped before their channel had them. */
export const undelivered = { where: { dueAt: { lte: now() } }, sort: { dueAt: 1 } } as const satisfies Query<Delivery>

/** Enqueues a result in the commit that keeps its run; the process that commits delivers it first. */
export async function enqueue({ deliveries }: Refs, delivery: Omit<Delivery, 'attempts' | 'dueAt'>, tx: Transaction): Promise<void> {
  await deliveries.in(tx).insert({ ...delivery, attempts: 1, dueAt: new Date(tx.now.getTime() + LEASE_SECONDS * 1_000).toISOString() })
}

/** Delivers the result of a run that this process has just kept, if it goes to a channel. Never throws. */
export async function deliverKept(refs: Refs, runId: string, ctx: CallContext): Promise<void> {
  try {
    const delivery = await refs.deliveries.get(runId)
    if (delivery) await deliver(refs, delivery, ctx)
  } catch (error) {
    ctx.log.error('a delivered result is still enqueued', { runId, err: error })
  }
}

/** Takes over a delivery that another process left behind. Of all processes that see it, one does. */
export async function deliverAgain(refs: Refs, { runId, dueAt }: Delivery, ctx: CallContext): Promise<void> {
  const update = { set: { dueAt: now(LEASE_SECONDS) }, inc: { attempts: 1 } }
  const taken = await refs.deliveries.updateOne(runId, update, { dueAt })
  if (taken) await deliver(refs, taken, ctx)
}

/** A channel that refuses has the result in its own history, from where it can be sent again; only a lost process is made up for. */
async function deliver(refs: Refs, { runId, to, attempts, ...result }: Delivery, ctx: CallContext): Promise<void> {
  const channel = channelOf(refs, to)
  try {
    if (channel && attempts <= MAX_ATTEMPTS) await channel.deliver(to, { title: result.title, text: result.text, failed: result.failed })
    else ctx.log.error('the result of a run was not delivered', { runId, channel: to, attempts })
  } catch (error) {
    ctx.log.error('the result of a run could not be delivered', { runId, channel: to, err: error })
  }
  await refs.deliveries.deleteOne(runId)
}
