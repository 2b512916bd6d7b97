import type { Gateway } from '@gateway/kernel'
import type { Id, Message, Response } from '../jsonrpc.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

/** Reason of a call that its client cancelled. */
export const CANCELLED = new Error('cancelled by the client')

/** A client message without an answer: a notification, or the answer to a question. */
type Saying = Extract<Message, { kind: 'notification' }> | Response

/** A client message to one node, for the others. */
const SAID = 'mcp.said'
interface Said {
  readonly sessionId: string
  readonly message: Saying
}

/** Routes client messages to the calls they are meant for, on whichever node these run. */
export class Hearing {
  readonly #relay: Gateway['relay']
  readonly #here: Sessions

  constructor(relay: Gateway['relay'], here: Sessions) {
    this.#relay = relay
    this.#here = here
    relay.subscribe(SAID, ({ data }) => this.#hearFromElsewhere(data as Said))
  }

  /** Forwards a message for a call that runs on another node. */
  async hear(message: Saying, session: Session | undefined): Promise<undefined> {
    if (session === undefined || hearHere(message, session)) return
    const { id, owner } = session
    const said: Said = { sessionId: id, message }
    await this.#relay.publishDurably({ topic: SAID, tenantId: owner.tenantId, data: said })
  }

  #hearFromElsewhere({ sessionId, message }: Said): void {
    const session = this.#here.get(sessionId)
    if (session) hearHere(message, session)
  }
}

/** False if the message may be meant for a call of this session on another node. */
function hearHere(message: Saying, session: Session): boolean {
  if (message.kind === 'response') return session.questions.hear(message)
  if (message.method !== 'notifications/cancelled') return true
  const call = session.running.get(message.params.requestId as Id)
  call?.abort.abort(CANCELLED)
  return call !== undefined
}
