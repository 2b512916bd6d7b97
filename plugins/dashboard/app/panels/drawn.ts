import type { Scope } from '../arguments.ts'

export interface Drawn<P> {
  readonly panel: P
  readonly answer: unknown
  readonly scope: Scope
  /** Changes when another list is requested. */
  readonly of: string
  /** Asks for the rows that follow, of a list whose end is not reached. */
  readonly more?: (() => void) | undefined
  /** Takes the rows in view. */
  readonly see?: ((rows: readonly unknown[]) => void) | undefined
}
