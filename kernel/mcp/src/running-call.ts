import type { LazyAbort } from './lazy-abort.ts'

/** A call in progress, as its session holds it. */
export interface RunningCall {
  readonly abort: LazyAbort
  /** True if its caller is connected and waiting. */
  readonly isConnected: boolean
}
