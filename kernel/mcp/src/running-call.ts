import type { LazyAbort } from './lazy-abort.ts'

export interface RunningCall {
  readonly abort: LazyAbort
  readonly isConnected: boolean
}
