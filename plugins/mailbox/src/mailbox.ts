import { type CallContext, provide, type Resolved, type Transaction } from '@gateway/sdk'
import { parseAddress } from './address.ts'
import { type Draft, type Mailbox, type Message, mailbox, messageReceived } from './api.ts'
import { messages } from './collections.ts'

const PREVIEW_LENGTH = 200
const uses = { messages, received: messageReceived }

export const mailService = provide(mailbox, { uses, create: createMailbox })

function createMailbox({ messages, received }: Resolved<typeof uses>, ctx: CallContext): Mailbox {
  return { post, postIn, announce }

  async function post(draft: Draft): Promise<Message> {
    const message = await messages.insert(write(draft, ctx.now()))
    announce(message)
    return message
  }

  async function postIn(tx: Transaction, draft: Draft): Promise<Message> {
    return messages.in(tx).insert(write(draft, tx.now))
  }

  function announce({ messageId, to, from, kind, subject, body, swarmId, createdAt }: Message): void {
    const preview = body.slice(0, PREVIEW_LENGTH)
    received.emit({ messageId, to, from, kind, subject, preview, createdAt, ...(swarmId !== undefined && { swarmId }) })
  }

  function write({ to, from, kind = 'note', subject = '', body = '', replyTo, swarmId }: Draft, at: Date): Message {
    return {
      messageId: ctx.newId('mail-'),
      to: parseAddress('to', to),
      from: parseAddress('from', from),
      kind,
      subject,
      body,
      ...(replyTo !== undefined && { replyTo }),
      ...(swarmId !== undefined && { swarmId }),
      createdAt: at.toISOString(),
      acked: false,
    }
  }
}
