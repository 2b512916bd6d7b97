import type { Gateway } from '@gateway/kernel'
import type { Id, Message, Response } from '../jsonrpc.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

export const CANCELLED = new Error('cancelled by the client')

/** A client message without an answer: a notification, or the answer to a question. */
type ClientMessage = Extract<Message, { kind: 'notification' }> | Response

const CLIENT_MESSAGE = 'mcp.forwarded'
interface ForwardedMessage {
  readonly sessionId: string
  readonly message: ClientMessage
}

/** Routes client messages to the calls they are meant for, on whichever node these run. */
export class ClientMessageRouter {
  readonly #relay: Gateway['relay']
  readonly #here: Sessions

  constructor(relay: Gateway['relay'], here: Sessions) {
    this.#relay = relay
    this.#here = here
    relay.subscribe(CLIENT_MESSAGE, ({ data }) => this.#receive(data as ForwardedMessage))
  }

  /** Forwards a message for a call that runs on another node. */
  async deliver(message: ClientMessage, session: Session | undefined): Promise<undefined> {
    if (session === undefined || deliverLocally(message, session)) return
    const { id, owner } = session
    const forwarded: ForwardedMessage = { sessionId: id, message }
    await this.#relay.publishDurably({ topic: CLIENT_MESSAGE, tenantId: owner.tenantId, data: forwarded })
  }

  #receive({ sessionId, message }: ForwardedMessage): void {
    const session = this.#here.get(sessionId)
    if (session) deliverLocally(message, session)
  }
}

/** False if the message may be meant for a call of this session on another node. */
function deliverLocally(message: ClientMessage, session: Session): boolean {
  if (message.kind === 'response') return session.questions.deliver(message)
  if (message.method !== 'notifications/cancelled') return true
  const call = session.running.get(message.params.requestId as Id)
  call?.abort.abort(CANCELLED)
  return call !== undefined
}
