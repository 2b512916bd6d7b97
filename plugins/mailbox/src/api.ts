import { closed, defineEvent, defineService, type Transaction, Type } from '@gateway/sdk'
import type { Message } from './schema.ts'

export { isAddress, MAX_ADDRESS_LENGTH, parseAddress } from './rules/address.ts'
export { MAX_BODY_LENGTH, type Message } from './schema.ts'

/** A message to send. Addresses are a host, `host/repo`, a repo or a role, in any case. */
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

/** Durable mail for other families, by the same code as `mail_send`. */
export interface Mailbox {
  /** Stores the message and announces it. Throws BAD_REQUEST naming `to` or `from` for an invalid address. */
  post(draft: Draft): Promise<Message>
  /** Stores the message together with the other changes of `tx`; it is announced when they are committed. */
  postIn(tx: Transaction, draft: Draft): Promise<Message>
  get(messageId: string, tx?: Transaction): Promise<Message | undefined>
  /**
   * Removes a message that nobody has acked, together with the other changes of `tx`: what it offered no longer stands. Returns false
   * for one that is acked, which is kept, and for an unknown one.
   */
  withdraw(messageId: string, tx: Transaction): Promise<boolean>
  /**
   * Acknowledges the oldest request that waits for `address`, together with the other changes of `tx`: exactly one of several
   * callers gets it. A message that an address sent to itself is not a request. `undefined` if none waits.
   */
  takeRequest(tx: Transaction, address: string, ackedBy: string): Promise<Message | undefined>
}
export const mailbox = defineService<Mailbox>('mailbox')

/** Emitted when a message was stored. Omits the body, which may be long: `mail_inbox` has it. */
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
  { public: 'A message was stored in the mailbox. The event has no body; mail_inbox returns it.' },
)
