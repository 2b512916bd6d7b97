import { alertRaised, atomically, type CallContext, now, type Query, type Resolved, type Transaction } from '@gateway/sdk'
import { type RunDelivery, runChannels } from '../api.ts'
import { deliveries, runs } from '../collections.ts'
import type { Delivery } from '../schema.ts'

export const deliveryUses = { deliveries, runs, atomically, alerts: alertRaised, channels: runChannels }
type Refs = Resolved<typeof deliveryUses>

/** Time that a channel has to take a result; afterwards the process that had it counts as stopped. */
const LEASE_SECONDS = 120
const MAX_ATTEMPTS = 6
const FIRST_WAIT_SECONDS = 30

export const channelOf = ({ channels }: Pick<Refs, 'channels'>, name: string) => channels.find((one) => one.has(name))

/** Deliveries whose channel may take them now, and those whose process stopped before their channel had them. */
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

/** Delivers a result again. Of all processes that see it due, one does. */
export async function deliverAgain(refs: Refs, { runId, dueAt }: Delivery, ctx: CallContext): Promise<void> {
  const update = { set: { dueAt: now(LEASE_SECONDS) }, inc: { attempts: 1 } }
  const taken = await refs.deliveries.updateOne(runId, update, { dueAt })
  if (taken) await deliver(refs, taken, ctx)
}

/** A result whose channel may take it later stays enqueued, with twice the previous delay; the end of the attempts raises an alert. */
async function deliver(refs: Refs, delivery: Delivery, ctx: CallContext): Promise<void> {
  const { runId, attempts, dueAt } = delivery
  const outcome = attempts > MAX_ATTEMPTS ? 'later' : await attempt(refs, delivery, ctx)
  if (outcome === 'refused' || (outcome === 'later' && attempts >= MAX_ATTEMPTS)) return giveUp(refs, delivery, ctx)
  if (outcome === 'later') {
    const again = { set: { dueAt: now(FIRST_WAIT_SECONDS * 2 ** (attempts - 1)) } }
    // If the channel took longer than the lease, another process has it.
    await refs.deliveries.updateOne(runId, again, { dueAt })
  } else await refs.deliveries.deleteOne(runId)
}

async function attempt(refs: Refs, { runId, to, title, text, failed }: Delivery, ctx: CallContext): Promise<RunDelivery> {
  const channel = channelOf(refs, to)
  if (!channel) return 'refused'
  try {
    return await channel.deliver(to, { title, text, failed })
  } catch (error) {
    ctx.log.error('the result of a run could not be delivered', { runId, channel: to, err: error })
    return 'later'
  }
}

/** Records on the run that its result was not delivered, and raises an alert. */
async function giveUp(refs: Refs, { runId, to, title, attempts }: Delivery, ctx: CallContext): Promise<void> {
  ctx.log.error('the result of a run was not delivered', { runId, channel: to, attempts })
  await refs.atomically(async (tx) => {
    if (!(await refs.deliveries.in(tx).deleteOne(runId))) return
    const tried = attempts === 1 ? 'at once' : `after ${Math.min(attempts, MAX_ATTEMPTS)} attempts`
    const undelivered = `The channel ${to} did not take the result; it was given up ${tried}.`
    const run = await refs.runs.in(tx).updateOne(runId, { set: { undelivered } })
    const place = run === undefined ? '' : ` GET /api/schedules/${run.scheduleId}/runs still has it.`
    const message = `The result of the run ${runId} was not delivered. ${undelivered}${place}`
    const alert = { level: 'error', source: 'schedules', title: `Result of “${title}” was not delivered`, message } as const
    tx.afterCommit(() => refs.alerts.emit(alert))
  })
}
