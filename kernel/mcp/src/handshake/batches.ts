import type { Gateway } from '@gateway/kernel'
import { errorMessage, INVALID_REQUEST, type Message, RpcError, readMessage, SERVER_ERROR } from '../jsonrpc.ts'
import { LazyAbort } from '../lazy-abort.ts'
import { answersInTurn } from './batch.ts'
import { BatchPlaces } from './batch-places.ts'
import { CallClient } from './call-client.ts'
import type { ClientMessageRouter } from './client-message-router.ts'
import type { Answer, Exchange } from './exchange.ts'
import { invalidRequest } from './refusals.ts'
import type { Requests } from './requests.ts'
import type { Session } from './session.ts'
import { hasBatches } from './versions.ts'

const MAX_BATCH = 100

/** Several messages in one POST, as versions before 2025-06-18 allow: their answers are sent together. */
export class Batches {
  readonly #gateway: Pick<Gateway, 'settings'>
  readonly #requests: Requests
  readonly #router: ClientMessageRouter
  readonly #places = new BatchPlaces()

  constructor(gateway: Pick<Gateway, 'settings'>, requests: Requests, router: ClientMessageRouter) {
    this.#gateway = gateway
    this.#requests = requests
    this.#router = router
  }

  async answer(entries: readonly unknown[], exchange: Exchange, session: Session | undefined, version: string): Promise<Answer> {
    const refuse = (why: string) => invalidRequest(null, why)
    if (!hasBatches(version)) return refuse(`protocol version ${version} has no batches; send one message per POST`)
    if (entries.length === 0 || entries.length > MAX_BATCH) return refuse(`a batch has 1 to ${MAX_BATCH} messages; got ${entries.length}`)
    // Each can be cancelled separately; all end when the client disconnects.
    const aborts = entries.map(() => new LazyAbort(() => exchange.abort.stillAdmitted()))
    const { signal } = exchange.abort
    const abortAll = (): void => {
      for (const abort of aborts) abort.abort(signal.reason as Error)
    }
    signal.addEventListener('abort', abortAll, { once: true })
    const maxBytes = this.#gateway.settings.answerLimitBytes
    const bodies = await answersInTurn(entries.map(readMessage), {
      maxBytes,
      wantsAnswer: ({ kind }) => kind === 'request' || kind === 'invalid',
      answer: (message, at) => this.#entry(message, exchange, session, aborts[at] as LazyAbort),
      refuse: (message) => errorMessage('id' in message ? message.id : null, batchTooLarge(maxBytes)),
      inPlace: (work) => this.#places.take(exchange.principal.tenantId, work, (leave) => exchange.abort.afterReply(leave)),
    })
    return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(',')}]` }
  }

  async #entry(message: Message, exchange: Exchange, session: Session | undefined, abort: LazyAbort): Promise<string | Buffer | undefined> {
    if (message.kind === 'invalid') return errorMessage(message.id, message.error)
    if (message.kind !== 'request') return await this.#router.deliver(message, session)
    if (message.method === 'initialize') {
      return errorMessage(message.id, new RpcError(INVALID_REQUEST, 'Invalid request: initialize must be alone, not in a batch'))
    }
    // All answers are sent together, so no call has a stream of its own.
    return await this.#requests.answer(message, exchange, session, new CallClient(message.id, abort, session, undefined))
  }
}

const batchTooLarge = (maxBytes: number): RpcError =>
  new RpcError(SERVER_ERROR, `Not begun: the answers to this batch already have more than ${maxBytes} bytes; send this message again`)
