import { callerName, closed, defineTool, NotFound, now, principalName, resourceUpdated, Type } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { acked } from '../metrics.ts'
import { inboxUri } from '../rules/inbox-uri.ts'
import { ownAddresses } from '../rules/own-address.ts'
import { messageSchema } from '../schema.ts'

export const mailAck = defineTool({
  name: 'mail_ack',
  description: 'Mark a message as handled: it leaves the inbox. Returns the message, which names who acked it first.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  idempotent: true,
  rest: 'POST /api/mail/:id/ack',
  input: Type.Object(
    {
      id: Type.String({ minLength: 1, maxLength: 200, description: 'messageId (mail-…).' }),
      ackedBy: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: the label of your key, or your id.' })),
    },
    closed,
  ),
  output: Type.Object({ message: messageSchema }),
  uses: { messages, acked, updated: resourceUpdated },
  async handle({ id, ackedBy }, { messages, acked, updated }, ctx) {
    const change = {
      set: { acked: true, ackedBy: ackedBy ?? callerName(ctx.principal), ackedByPrincipal: principalName(ctx.principal), ackedAt: now() },
      unset: ['actionable'],
    } as const
    // A key that was issued for one piece of work acks its own mail. To it, other mail is as unknown as that of other tenants.
    const own = ctx.principal.confinedTo && ownAddresses(ctx.principal)
    const changed = await messages.updateOne(id, change, { acked: false, ...(own && { to: { in: own } }) })
    if (changed) {
      acked.add(1)
      updated.emit({ uri: inboxUri(changed.to) })
    }
    const message = changed ?? (await messages.get(id))
    if (message === undefined || (own && !own.includes(message.to))) throw NotFound({ what: 'message', id })
    return { message }
  },
})
