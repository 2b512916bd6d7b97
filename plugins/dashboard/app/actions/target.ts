import type { Scope } from '../arguments.ts'

export interface Target {
  readonly name: string
  readonly scope: Scope
}
