/** A recorded call of a process. Times of the store are epoch milliseconds, those of the calls a clock all processes share. */
export interface Call {
  readonly key: string
  readonly holder: string
  readonly request: Request
  readonly invoked: number
  /** Absent when no answer came: it may have been executed, at any time since, or never. */
  readonly returned?: number
  readonly answer?: Answer
  /** No answer came, and from this time on it can no longer be executed: the gateway it was sent to was gone. */
  readonly lost?: number
}

export type Request =
  | { readonly op: 'acquire'; readonly seconds: number }
  | { readonly op: 'heartbeat'; readonly epoch: number; readonly seconds: number }
  | { readonly op: 'release'; readonly epoch: number; readonly force: boolean }
  | { readonly op: 'write'; readonly fence: number }

export interface Given {
  readonly epoch: number
  readonly fence: number
  readonly acquiredAt: number
  /** Store time at which it was granted or extended. */
  readonly at: number
  readonly until: number
}

/** `ok: false` is a refusal: held by another, lost, nothing released, a stale fence. */
export type Answer =
  | { readonly ok: true; readonly lease?: Given; readonly tookOverFrom?: string; readonly at?: number }
  | { readonly ok: false; readonly heldBy?: string; readonly until?: number }
