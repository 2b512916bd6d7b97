import { type Message, mailbox, parseAddress } from '@gateway/plugin-mailbox/api'
import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, cutText, type Resolved } from '@gateway/sdk'
import { config } from '../config.ts'
import { DirectorAddress } from '../errors.ts'
import { isListed, repoOf } from '../rules/addresses.ts'

export const requestUses = { mail: mailbox, queue: taskQueue, atomically, config }
type Refs = Resolved<typeof requestUses>

/** The default duration of a claim by tasks_claim. */
const LEASE_SECONDS = 3_600
const MAX_TITLE = 500

export interface Poll {
  readonly address: string
  readonly defaultRepo: string | undefined
  readonly claimedBy: string
  readonly max: number
}

export interface Converted {
  readonly message: Message
  readonly task: Task
}

/** Turns the oldest requests of an address into tasks that the poller holds: all there are, up to `max`. */
export async function convertRequests(
  refs: Refs,
  { max, defaultRepo: given, ...poll }: Poll,
): Promise<{ converted: readonly Converted[]; reason?: string }> {
  const address = parseAddress('address', poll.address)
  if (isListed(address, refs.config.directorAddresses)) throw DirectorAddress({ field: 'address', address })
  const reason = await refs.queue.closed()
  if (reason !== undefined) return { converted: [], reason }
  const defaultRepo = given === undefined ? undefined : await refs.queue.repoName(given, { stores: true })
  const converted: Converted[] = []
  while (converted.length < max) {
    const one = await convertOne(refs, { ...poll, address, defaultRepo })
    if (!one) break
    converted.push(one)
  }
  return { converted }
}

/**
 * The mail is acknowledged and its task exists, claimed, or neither: a crash in between loses nothing and creates nothing twice.
 */
function convertOne(refs: Refs, { address, defaultRepo, claimedBy }: Omit<Poll, 'max'>): Promise<Converted | undefined> {
  return refs.atomically(async (tx) => {
    const message = await refs.mail.takeRequest(tx, address, claimedBy)
    if (!message) return undefined
    const draft = {
      repo: repoOf(address, defaultRepo),
      title: titleOf(message),
      ...(message.body !== '' && { description: message.body }),
      sourceId: message.messageId,
      notes: origin(message),
    }
    return { message, task: await refs.queue.enqueueClaimed(draft, { claimedBy, leaseSeconds: LEASE_SECONDS }, tx) }
  })
}

function titleOf({ subject, body, from }: Message): string {
  const line = [subject, ...body.split('\n')].map((text) => text.trim()).find((text) => text !== '')
  return cutText(line ?? `Request from ${from}`, MAX_TITLE)
}

const origin = ({ from, messageId }: Message): string => `Requested by ${from} in ${messageId}.`
const ORIGIN = /^Requested by \S+ in (mail-\w+)\.$/m

/** The mail that a task came from, by its `sourceId`; if the task is gone, by the notes that a worker kept of it. */
export async function requestOf({ mail, queue }: Refs, taskId: string, notes = ''): Promise<Message | undefined> {
  const task = await queue.get(taskId)
  const noted = ORIGIN.exec(notes)?.[1]
  const messageId = task ? task.sourceId : noted
  return messageId?.startsWith('mail-') ? mail.get(messageId) : undefined
}
