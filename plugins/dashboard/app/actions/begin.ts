import { signal } from '@preact/signals'
import type { Refusal } from '../api.ts'
import type { ActionView } from '../contract.ts'
import type { Values } from '../form.tsx'
import { liftFirst } from '../session.ts'
import { say } from '../toasts.ts'
import { act } from './act.ts'
import { formOf } from './rules.ts'
import type { Target } from './target.ts'

export interface Run {
  readonly action: ActionView
  readonly targets: readonly Target[]
  /** Values that the form was opened with. */
  readonly known: Values
}

export const open = signal<Run | undefined>(undefined)

/** Starts an action: immediately when it asks nothing, else with its dialog. */
export function begin(action: ActionView, targets: readonly Target[], known: Values = {}): void {
  if (liftFirst(action, () => begin(action, targets, known))) return
  const asks = formOf(action) !== undefined || action.confirm !== undefined || action.effect === 'destructive' || targets.length > 1
  if (asks) open.value = { action, targets, known }
  else if (targets[0]) void act(action, targets[0].scope, {}).then((answer) => answer.ok || refuse(action, answer.refusal))
}

function refuse(action: ActionView, refusal: Refusal): void {
  say({ tone: 'bad', title: `${action.label}: refused`, text: refusal.message })
}
