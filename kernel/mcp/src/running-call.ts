import type { LazyAbort } from './lazy-abort.ts'

export interface RunningCall {
  readonly abort: LazyAbort
  /** True if its caller is connected and waiting. */
  readonly isConnected: boolean
}
