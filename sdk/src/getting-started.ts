import type { Capability } from './context.ts'
import { defineContribution } from './contribution.ts'

/** A step that a person takes to put a new gateway to work. */
export interface GettingStartedStep {
  /** kebab-case, unique in one gateway. */
  readonly id: string
  /** Lower comes first. */
  readonly order: number
  readonly title: string
  /** A sentence or two: what the step is good for, and how it is done. */
  readonly text: string
  /** Needed to see the step. Default: `read`. */
  readonly capability?: Capability
  /** Commands or configuration to copy. `{url}` stands for the address of the gateway. */
  readonly snippets?: readonly { readonly label: string; readonly code: string }[]
  /** Page of the dashboard on which the step can be taken. */
  readonly link?: { readonly to: string }
  /** True once the step has been taken in the caller's tenant. An index must answer it. */
  isDone(): Promise<boolean>
}
/** Contributes a step to the getting-started list of the dashboard. */
export const gettingStarted = defineContribution<GettingStartedStep>('gateway.getting-started')
