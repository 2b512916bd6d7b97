import type { Ending } from '../rules/ending.ts'

export interface Dispatched {
  readonly taskId: string
  readonly title: string
  readonly to: string
  readonly messageId?: string
  readonly outcome?: Ending['outcome']
  readonly error?: string
}
