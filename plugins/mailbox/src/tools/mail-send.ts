import { closed, defineTool, Type, withIdempotencyKey } from '@gateway/sdk'
import { mailbox } from '../api.ts'
import { MAX_ADDRESS_LENGTH, parseAddress } from '../rules/address.ts'
import { ownAddress } from '../rules/own-address.ts'
import { MAX_BODY_LENGTH, messageSchema } from '../schema.ts'

const address = { minLength: 1, maxLength: MAX_ADDRESS_LENGTH }

export const mailSend = defineTool({
  name: 'mail_send',
  description: 'Send a message, which waits at its address until someone acks it. Returns the message.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  rest: 'POST /api/mail',
  status: 201,
  input: withIdempotencyKey(
    Type.Object(
      {
        to: Type.String({ ...address, description: 'Address: a host, host/repo, repo or role; case does not matter.' }),
        from: Type.Optional(Type.String({ ...address, description: 'Your address. Default: the label of your key, or your id.' })),
        kind: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            default: 'note',
            description: 'A label such as note, request, live-note or swarm.',
          }),
        ),
        subject: Type.Optional(Type.String({ maxLength: 500 })),
        body: Type.Optional(Type.String({ maxLength: MAX_BODY_LENGTH })),
        // Not looked up: the answered message may have been purged, and a conversation outlives it.
        replyTo: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'messageId that it answers.' })),
        // Not looked up either: mail about a swarm may be sent after the swarm was removed, or while its family is off.
        swarmId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      },
      closed,
    ),
  ),
  output: Type.Object({ message: messageSchema }),
  uses: { mailbox },
  check({ to, from }) {
    parseAddress('to', to)
    if (from !== undefined) parseAddress('from', from)
  },
  handle: async ({ from, ...draft }, { mailbox }, ctx) => ({
    message: await mailbox.post({ ...draft, from: from ?? ownAddress(ctx.principal) }),
  }),
})
