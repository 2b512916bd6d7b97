import type { Call } from '@gateway/kernel'
import type { Client, Principal, Via } from '@gateway/sdk'
import type { LazyAbort } from './lazy-abort.ts'

/** A call as a face hands it to the kernel. A class, so that its signal is made when asked for and not before. */
export class FaceCall implements Call {
  readonly name: string
  readonly args: object
  readonly principal: Principal
  readonly via: Via
  readonly requestId: string
  readonly progress: Call['progress']
  readonly client: Client | undefined
  readonly traceparent: string | undefined
  readonly #abort: LazyAbort

  constructor(name: string, args: object, via: Via, caller: FaceCaller, traceparent?: unknown) {
    this.name = name
    this.args = args
    this.via = via
    this.principal = caller.principal
    this.requestId = caller.requestId
    this.progress = caller.progress
    this.client = caller.client
    this.traceparent = typeof traceparent === 'string' ? traceparent : undefined
    this.#abort = caller.abort
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get origin(): Call['origin'] {
    return this.#abort.origin
  }

  afterReply(listener: () => void): void {
    this.#abort.afterReply(listener)
  }
}

/** Who calls, and how the call can be stopped or followed. */
export interface FaceCaller {
  readonly principal: Principal
  readonly requestId: string
  readonly abort: LazyAbort
  readonly progress?: Call['progress']
  readonly client?: Client | undefined
}
