import { mailbox } from '@gateway/plugin-mailbox/api'
import { sessionRecorder } from '@gateway/plugin-sessions/api'
import { atomically, defined, optional, type Resolved, resourceUpdated, type Transaction } from '@gateway/sdk'
import { runChannels, scheduleRan } from '../api.ts'
import { runs } from '../collections.ts'
import { messageOf, receiverOf, SENDER } from '../rules/receiver.ts'
import { runsUri } from '../rules/runs-uri.ts'
import { MAX_RUNS, type Run, type Schedule } from '../schema.ts'

export const keepUses = {
  runs,
  atomically,
  ran: scheduleRan,
  mail: optional(mailbox),
  sessions: optional(sessionRecorder),
  channels: runChannels,
  updated: resourceUpdated,
}
type Refs = Resolved<typeof keepUses>

const MAX_SUBJECT = 200

/** Keeps a run that has ended, announces it, and mails its result if a mail address receives it; all in `tx`. */
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
  if (kind === 'agent') await recordSession(refs, schedule, run, tx)
  const to = receiverOf(schedule, run)
  if (to === undefined || channelOf(refs, to)) return
  const { title, text } = messageOf(schedule, run)
  await refs.mail?.postIn(tx, { to, from: SENDER, kind: 'result', subject: title.slice(0, MAX_SUBJECT), body: text })
}

/** Sends the result of a kept run to its channel, if it has one. */
export async function deliverRun(refs: Refs, schedule: Schedule, run: Run): Promise<void> {
  const to = receiverOf(schedule, run)
  const channel = to === undefined ? undefined : channelOf(refs, to)
  if (to !== undefined && channel) await channel.deliver(to, { ...messageOf(schedule, run), failed: run.status === 'error' })
}

export const channelOf = ({ channels }: Pick<Refs, 'channels'>, name: string) => channels.find((one) => one.has(name))

/** The run of an agent is a conversation of one question, which later runs can recall. */
async function recordSession({ sessions }: Refs, schedule: Schedule, run: Run, tx: Transaction): Promise<void> {
  const { scheduleId, target, message = '' } = schedule
  const { runId, startedAt, result, error, traceId } = run
  await sessions?.record(
    {
      agentName: target,
      startedAt,
      content: message,
      ...(result === undefined ? { error: error ?? '' } : { answer: result }),
      metadata: { scheduleId, runId, ...defined({ traceId }) },
    },
    tx,
  )
}
