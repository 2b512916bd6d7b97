import type { Schema, Steps } from './json.ts'

export interface Fault {
  readonly field: string
  readonly message: string
}

export interface Checking {
  readonly steps: Steps
  fault(schema: Schema, value: unknown, at: string, fills: boolean): Fault | undefined
  holds(schema: Schema, value: unknown): boolean
  wrong(field: string, must: () => string, value: unknown): Fault
  refusal(field: string, says: () => string): Fault
  length(text: string): number
}
