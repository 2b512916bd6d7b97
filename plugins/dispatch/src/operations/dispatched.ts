import type { Ending } from '../rules/ending.ts'

export interface Dispatched {
  readonly taskId: string
  readonly title: string
  readonly to: string
  /** Id of the mail that offers it. */
  readonly messageId?: string
  /** Outcome of a task that an agent of the gateway has executed. */
  readonly outcome?: Ending['outcome']
  readonly error?: string
}
