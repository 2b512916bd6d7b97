import type { Scope } from '../arguments.ts'

/** Target of an action: one row, or several of a selection. */
export interface Target {
  readonly name: string
  readonly scope: Scope
}
