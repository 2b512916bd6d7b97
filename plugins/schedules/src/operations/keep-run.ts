import { mailbox } from '@gateway/plugin-mailbox/api'
import { optional, type Resolved, resourceUpdated, type Transaction } from '@gateway/sdk'
import { scheduleRan } from '../api.ts'
import { messageOf, receiverOf, SENDER } from '../rules/receiver.ts'
import { runsUri } from '../rules/runs-uri.ts'
import { MAX_RUNS, type Run, type Schedule } from '../schema.ts'
import { channelOf, deliveryUses, enqueue } from './deliver.ts'

export const keepUses = {
  ran: scheduleRan,
  mail: optional(mailbox),
  ...deliveryUses,
  updated: resourceUpdated,
}
type Refs = Resolved<typeof keepUses>

const MAX_SUBJECT = 200

/** Keeps a run that has ended, announces it, and mails its result or enqueues it for its channel; all in `tx`. */
export async function keepRun(refs: Refs, schedule: Schedule, run: Run, tx: Transaction): Promise<void> {
  const { scheduleId, name, kind, target } = schedule
  const own = refs.runs.in(tx)
  await own.insert({ scheduleId, ...run })
  const count = await own.count({ scheduleId }, { max: MAX_RUNS + 1 })
  if (count > MAX_RUNS) {
    const { items } = await own.find({ where: { scheduleId }, sort: { runId: 1 }, limit: 1 })
    for (const { runId } of items) await own.deleteOne(runId)
  }
  tx.afterCommit(() => refs.updated.emit({ uri: runsUri(scheduleId) }))
  const { result: _result, ...facts } = run
  await refs.ran.emit({ scheduleId, name, kind, target, ...facts }, tx)
  const to = receiverOf(schedule, run)
  if (to === undefined) return
  const { title, text } = messageOf(schedule, run)
  if (channelOf(refs, to)) return enqueue(refs, { runId: run.runId, to, title, text, failed: run.status === 'error' }, tx)
  await refs.mail?.postIn(tx, { to, from: SENDER, kind: 'result', subject: title.slice(0, MAX_SUBJECT), body: text })
}
