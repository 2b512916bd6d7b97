import { signal } from '@preact/signals'
import { type Answer, type Refusal, send, wireOf } from '../api.ts'
import { argumentsOf, linkTo, type Scope } from '../arguments.ts'
import type { ActionView } from '../contract.ts'
import type { Values } from '../form.tsx'
import { notifyAll } from '../live.ts'
import { at } from '../pointer.ts'
import { go } from '../router.ts'
import { askLift, beginAnew, changesCaller } from '../session.ts'
import { say, type Toast } from '../toasts.ts'
import { applies } from './rules.ts'

export const shown = signal<{ readonly title: string; readonly kind: 'markdown' | 'json'; readonly value: unknown } | undefined>(undefined)

export function argumentsFor(action: ActionView, scope: Scope, values: Values): Record<string, unknown> {
  return { ...argumentsOf(action, { ...scope, asked: values }), ...values }
}

/** Runs an action, then reloads everything on the page. */
export async function act(action: ActionView, scope: Scope, values: Values, quiet = false): Promise<Answer> {
  const answer = await send(wireOf(action, argumentsFor(action, scope, values)))
  if (!answer.ok) {
    if (answer.refusal.wantsLift) askLift()
    return answer
  }
  if (changesCaller(action.url)) {
    beginAnew('/')
    return answer
  }
  if (action.effect !== 'read') notifyAll()
  if (quiet) return answer
  if (action.effect !== 'read' || action.done)
    say({ tone: 'good', title: action.done ?? `${action.label}: done`, ...undoOf(action, scope, answer.data) })
  if (action.shows) shown.value = { title: action.label, kind: action.shows.kind, value: at(answer.data, action.shows.text) }
  const next = action.leads && linkTo(action.leads, { ...scope, row: answer.data })
  if (next) go(next)
  return answer
}

/** True if the action on this row can be taken back. */
export const isUndoable = ({ undo }: ActionView, { row }: Scope): boolean => undo !== undefined && applies(undo, row)

/** Takes back an action, given its answer. Returns the refusal, if any. */
export async function takeBack({ undo }: ActionView, scope: Scope, answer: unknown): Promise<Refusal | undefined> {
  if (!undo) return undefined
  const taken = await send(wireOf(undo, argumentsOf(undo, { ...scope, before: scope.row, row: answer })))
  return taken.ok ? undefined : taken.refusal
}

function undoOf(action: ActionView, scope: Scope, answer: unknown): Pick<Toast, 'act'> {
  const { label } = action
  if (!isUndoable(action, scope)) return {}
  const run = async (): Promise<void> => {
    const refusal = await takeBack(action, scope, answer)
    if (!refusal) notifyAll()
    say(refusal ? { tone: 'bad', title: `${label}: undo failed`, text: refusal.message } : { tone: 'good', title: `${label}: undone` })
  }
  return { act: { label: 'Undo', run: () => void run() } }
}
