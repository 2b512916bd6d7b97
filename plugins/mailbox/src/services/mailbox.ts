import {
  atomically,
  type CallContext,
  cutText,
  defined,
  now,
  principalName,
  provide,
  type Resolved,
  resourceUpdated,
  type Transaction,
} from '@gateway/sdk'
import { type Draft, type Mailbox, type Message, mailbox, messageReceived } from '../api.ts'
import { messages } from '../collections.ts'
import { acked, sent } from '../metrics.ts'
import { parseAddress } from '../rules/address.ts'
import { inboxUri } from '../rules/inbox-uri.ts'

const PREVIEW_LENGTH = 200
const REQUEST = 'request'
const uses = { messages, received: messageReceived, atomically, sent, acked, updated: resourceUpdated }

export const mailService = provide(mailbox, { uses, create: createMailbox })

function createMailbox({ messages, received, atomically, sent, acked, updated }: Resolved<typeof uses>, ctx: CallContext): Mailbox {
  return { post, postIn, get, withdraw, takeRequest }

  function post(draft: Draft): Promise<Message> {
    return atomically((tx) => postIn(tx, draft))
  }

  async function postIn(tx: Transaction, draft: Draft): Promise<Message> {
    const message = await messages.in(tx).insert(write(draft, tx.now))
    await announce(message, tx)
    return message
  }

  function get(messageId: string, tx?: Transaction): Promise<Message | undefined> {
    return (tx ? messages.in(tx) : messages).get(messageId)
  }

  async function withdraw(messageId: string, tx: Transaction): Promise<boolean> {
    return (await messages.in(tx).deleteOne(messageId, { acked: false })) !== undefined
  }

  async function takeRequest(tx: Transaction, address: string, ackedBy: string): Promise<Message | undefined> {
    const taken = await messages.in(tx).claim({
      where: { to: parseAddress('address', address), actionable: true },
      sort: { createdAt: 1 },
      update: { set: { acked: true, ackedBy, ackedByPrincipal: principalName(ctx.principal), ackedAt: now() }, unset: ['actionable'] },
    })
    if (taken)
      tx.afterCommit(() => {
        acked.add(1)
        updated.emit({ uri: inboxUri(taken.to) })
      })
    return taken
  }

  function announce({ messageId, to, from, kind, subject, body, swarmId, createdAt }: Message, tx: Transaction): Promise<void> {
    tx.afterCommit(() => {
      sent.add(1)
      updated.emit({ uri: inboxUri(to) })
    })
    const preview = cutText(body, PREVIEW_LENGTH)
    return received.emit({ messageId, to, from, kind, subject, preview, createdAt, ...defined({ swarmId }) }, tx)
  }

  function write({ kind = 'note', subject = '', body = '', replyTo, swarmId, ...draft }: Draft, at: Date): Message {
    const to = parseAddress('to', draft.to)
    const from = parseAddress('from', draft.from)
    return {
      messageId: ctx.newId('mail-'),
      to,
      from,
      fromPrincipal: principalName(ctx.principal),
      kind,
      subject,
      body,
      ...defined({ replyTo, swarmId }),
      createdAt: at.toISOString(),
      acked: false,
      ...(kind === REQUEST && to !== from && { actionable: true }),
    }
  }
}
