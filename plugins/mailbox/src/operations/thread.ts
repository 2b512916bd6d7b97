import { type Collection, ListFill } from '@gateway/sdk'
import type { Message } from '../schema.ts'

/** Number of steps back in which the first message of a conversation is searched. */
const MAX_HOPS = 100
const MAX_MESSAGES = 200

interface Thread {
  readonly messages: Message[]
  readonly truncated?: true
}

/** The conversation of a message, oldest first: its predecessors back to the first that still exists, and all answers to them. */
export async function threadOf(messages: Collection<Message>, message: Message): Promise<Thread> {
  const found = new Map<string, Message>()
  let level = [await firstOf(messages, message)]
  while (level.length > 0 && found.size <= MAX_MESSAGES) {
    for (const one of level) found.set(one.messageId, one)
    const answers = await messages.find({
      where: { replyTo: { in: level.map(({ messageId }) => messageId) } },
      sort: { createdAt: 1 },
      limit: MAX_MESSAGES + 1,
    })
    // Senders choose what they answer, so answers may form a cycle.
    level = answers.items.filter(({ messageId }) => !found.has(messageId))
  }
  const thread = new ListFill<Message>(MAX_MESSAGES)
  for (const one of [...found.values()].sort(inTime)) thread.add(one)
  return { messages: thread.rows, ...(thread.rows.length < found.size && { truncated: true as const }) }
}

async function firstOf(messages: Collection<Message>, message: Message): Promise<Message> {
  const seen = new Set([message.messageId])
  let first = message
  while (first.replyTo !== undefined && !seen.has(first.replyTo) && seen.size < MAX_HOPS) {
    seen.add(first.replyTo)
    const before = await messages.get(first.replyTo)
    if (!before) break
    first = before
  }
  return first
}

/** Ids rise with time, also within one millisecond. */
const inTime = (a: Message, b: Message): number => (a.createdAt + a.messageId < b.createdAt + b.messageId ? -1 : 1)
