import { signal } from '@preact/signals'
import type { Refusal } from '../api.ts'
import type { Scope } from '../arguments.ts'
import type { ActionView } from '../contract.ts'
import type { Values } from '../form.tsx'
import { liftFirst } from '../session.ts'
import { say } from '../toasts.ts'
import { act } from './act.ts'
import { formOf } from './rules.ts'

/** What an action is done to: one row, or several of a selection. */
export interface Target {
  readonly name: string
  readonly scope: Scope
}

export interface Run {
  readonly action: ActionView
  readonly targets: readonly Target[]
  /** What its form was given already. */
  readonly known: Values
}

/** The action whose dialog is open. */
export const open = signal<Run | undefined>(undefined)

/** Begin an action: at once where there is nothing to ask, else with its dialog. */
export function begin(action: ActionView, targets: readonly Target[], known: Values = {}): void {
  if (liftFirst(action, () => begin(action, targets, known))) return
  const asks = formOf(action) !== undefined || action.confirm !== undefined || action.effect === 'destructive' || targets.length > 1
  if (asks) open.value = { action, targets, known }
  else if (targets[0]) void act(action, targets[0].scope, {}).then((answer) => answer.ok || refuse(action, answer.refusal))
}

function refuse(action: ActionView, refusal: Refusal): void {
  say({ tone: 'bad', title: `${action.label}: refused`, text: refusal.message })
}
