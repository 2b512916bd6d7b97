import type { Principal } from '@gateway/sdk'
import type { OpenStream } from '../event-stream.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import type { View } from '../views.ts'

export interface Call {
  readonly principal: Principal
  readonly sessionId: string | undefined
  readonly version: string | undefined
}

/** A POST as the transport received it. */
export interface Exchange extends Call {
  readonly body: unknown
  readonly requestId: string
  readonly view: View
  /** Aborted by the transport when the client disconnects. */
  readonly abort: LazyAbort
  /** Opens an event stream in place of a JSON answer; absent if the client accepts none. */
  readonly openStream: OpenStream | undefined
}

/** A GET as the transport received it. */
export interface Listening extends Call {
  readonly lastEventId: string | undefined
  readonly openStream: OpenStream
}

/** The answer; no body with 202 and 204. */
export interface Answer {
  readonly status: number
  readonly body?: string | Buffer
  readonly sessionId?: string
}
