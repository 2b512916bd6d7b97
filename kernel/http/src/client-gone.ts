import type { CallOrigin, RequestFacts } from '@gateway/kernel'
import { LazyAbort } from '@gateway/mcp'
import type { ClientAddress } from '@gateway/settings'
import type { FastifyReply } from 'fastify'
import { factsOf } from './guard.ts'
import { onReplyEnd } from './reply-end.ts'

declare module 'fastify' {
  interface FastifyInstance {
    addressOf: ClientAddress
    /** False if the credential of a request has ended. */
    stillKnows: (facts: RequestFacts) => Promise<boolean>
  }
}

/**
 * Aborted when the client disconnects before its answer is written, unless the call outlives its connection. It listens only
 * once the signal is read, because most calls never read it.
 */
export class ClientGone extends LazyAbort {
  readonly #reply: FastifyReply
  #listens = false

  constructor(reply: FastifyReply) {
    super()
    this.#reply = reply
  }

  override get reason(): unknown {
    const { raw, request } = this.#reply
    if (!this.#listens && request.raw.socket.destroyed && !raw.writableFinished) this.connectionLost()
    return super.reason
  }

  override get origin(): CallOrigin {
    const { server, raw, headers } = this.#reply.request
    return { address: server.addressOf({ peerAddress: raw.socket.remoteAddress ?? '', headers }), client: headers['user-agent'] }
  }

  override async stillAdmitted(): Promise<boolean> {
    const { request } = this.#reply
    return request.server.stillKnows(factsOf(request))
  }

  override afterReply(listener: () => void): void {
    onReplyEnd(this.#reply, listener)
  }

  override get signal(): AbortSignal {
    if (!this.#listens) {
      this.#listens = true
      onReplyEnd(this.#reply, () => {
        if (!this.#reply.raw.writableFinished) this.connectionLost()
      })
    }
    return super.signal
  }
}
