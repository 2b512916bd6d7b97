import type { Call } from '@gateway/kernel'
import type { Client, Principal, Via } from '@gateway/sdk'
import type { LazyAbort } from './lazy-abort.ts'
import type { RunningCall } from './running-call.ts'

/** A call as a transport hands it to the kernel. It is a class, so that its signal is created on demand. */
export class IncomingCall implements Call {
  readonly name: string
  readonly args: object
  readonly principal: Principal
  readonly via: Via
  readonly requestId: string
  readonly progress: Call['progress']
  readonly client: Client | undefined
  readonly traceparent: string | undefined
  readonly #clientName: string | undefined
  readonly idempotencyKey: unknown
  readonly #abort: LazyAbort

  constructor(name: string, args: object, via: Via, caller: IncomingCaller, { traceparent, idempotencyKey }: CallHeaders = {}) {
    this.name = name
    this.args = args
    this.via = via
    this.principal = caller.principal
    this.requestId = caller.requestId
    this.progress = caller.progress
    this.client = caller.client
    this.traceparent = typeof traceparent === 'string' ? traceparent : undefined
    this.#clientName = caller.clientName
    this.idempotencyKey = idempotencyKey
    this.#abort = caller.abort
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Names the MCP client as it reports itself, rather than its HTTP library. */
  get origin(): Call['origin'] {
    const origin = this.#abort.origin
    return origin && this.#clientName !== undefined ? { ...origin, client: this.#clientName } : origin
  }

  /** A call whose stream is resumable outlives its connection. */
  get isConnected(): boolean | undefined {
    return (this.client as Partial<Pick<RunningCall, 'isConnected'>> | undefined)?.isConnected
  }

  stillAdmitted(): Promise<boolean> {
    return this.#abort.stillAdmitted()
  }

  afterReply(listener: () => void): void {
    this.#abort.afterReply(listener)
  }
}

export interface CallHeaders {
  readonly traceparent?: unknown
  readonly idempotencyKey?: unknown
}

export interface IncomingCaller {
  readonly principal: Principal
  readonly requestId: string
  readonly abort: LazyAbort
  readonly progress?: Call['progress']
  readonly client?: Client | undefined
  /** Name that the MCP client reports. */
  readonly clientName?: string | undefined
}
