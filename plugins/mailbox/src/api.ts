import { closed, defineEvent, defineService, type Transaction, Type } from '@gateway/sdk'
import type { Message } from './schema.ts'

export { isAddress, MAX_ADDRESS_LENGTH, parseAddress } from './rules/address.ts'
export { MAX_BODY_LENGTH, type Message } from './schema.ts'

/** A message to be sent. Addresses are a host, `host/repo`, a repo or a role, in any case. */
export interface Draft {
  readonly to: string
  readonly from: string
  /** Default `note`. */
  readonly kind?: string | undefined
  readonly subject?: string | undefined
  readonly body?: string | undefined
  readonly replyTo?: string | undefined
  readonly swarmId?: string | undefined
}

/** Durable mail for other families: the way `mail_send` itself takes. */
export interface Mailbox {
  /** Store the message and announce it. Throws BAD_REQUEST naming `to` or `from` when that is no address. */
  post(draft: Draft): Promise<Message>
  /** Store the message together with the other changes of `tx`; it is announced when they are committed. */
  postIn(tx: Transaction, draft: Draft): Promise<Message>
  get(messageId: string, tx?: Transaction): Promise<Message | undefined>
  /**
   * Ack the oldest request that waits for `address`, together with the other changes of `tx`: of several takers one gets
   * it. What an address has sent to itself is no request. `undefined` when none waits.
   */
  takeRequest(tx: Transaction, address: string, ackedBy: string): Promise<Message | undefined>
}
export const mailbox = defineService<Mailbox>('mailbox')

/** A message was stored. Without the body, which may be long: `mail_inbox` has it. */
export const messageReceived = defineEvent(
  'message.received',
  Type.Object(
    {
      messageId: Type.String(),
      to: Type.String(),
      from: Type.String(),
      kind: Type.String(),
      subject: Type.String(),
      /** The first characters of the body. */
      preview: Type.String(),
      swarmId: Type.Optional(Type.String()),
      createdAt: Type.String(),
    },
    closed,
  ),
  { public: 'A message was stored in the mailbox. It comes without the body, which mail_inbox has.' },
)
