import type { Refusal } from '../api.ts'
import type { ActionView } from '../contract.ts'
import type { Values } from '../form.tsx'
import { notifyAll } from '../live.ts'
import { Dialog } from '../parts/dialog.tsx'
import { cut, plain } from '../text.ts'
import { say } from '../toasts.ts'
import { act, isUndoable, takeBack } from './act.ts'
import type { Target } from './target.ts'

export interface Verdict {
  readonly name: string
  readonly refusal?: Refusal
  /** Takes this one back; absent if it was refused, or cannot be undone. */
  readonly undo?: () => Promise<Refusal | undefined>
}

/** Limited to four because the gateway also serves others. */
const AT_ONCE = 4

export async function actOnAll(action: ActionView, targets: readonly Target[], values: Values): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  const queue = targets.entries()
  const work = async (): Promise<void> => {
    for (const [index, { name, scope }] of queue) {
      const answer = await act(action, scope, values, true)
      const undo = () => takeBack(action, scope, answer.ok ? answer.data : undefined)
      verdicts[index] = answer.ok ? { name, ...(isUndoable(action, scope) && { undo }) } : { name, refusal: answer.refusal }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return verdicts
}

export function Verdicts({ action, verdicts, close }: { action: ActionView; verdicts: readonly Verdict[]; close: () => void }) {
  const refused = verdicts.filter(({ refusal }) => refusal).length
  const undoable = verdicts.flatMap(({ undo }) => undo ?? [])
  return (
    <Dialog title={`${action.label}: ${verdicts.length - refused} done, ${refused} refused`} close={close}>
      <div class="dialog-body">
        <ul class="verdicts">
          {verdicts.map(({ name, refusal }, index) => (
            <li key={index} class={refusal ? 'bad' : 'good'}>
              <strong>{cut(name, 120)}</strong> {refusal ? plain(refusal.message) : 'done'}
            </li>
          ))}
        </ul>
      </div>
      <footer>
        {undoable.length > 0 && (
          <button type="button" onClick={() => [close(), void undoAll(action, undoable)]}>
            Undo {undoable.length === 1 ? 'it' : `all ${undoable.length}`}
          </button>
        )}
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}

async function undoAll({ label }: ActionView, all: readonly (() => Promise<Refusal | undefined>)[]): Promise<void> {
  let refused = 0
  // Calls run one after another: a person waits for the message alone.
  for (const undo of all) if (await undo()) refused++
  notifyAll()
  const title = refused === 0 ? `${label}: ${all.length} undone` : `${label}: ${refused} of ${all.length} not undone`
  say({ tone: refused === 0 ? 'good' : 'bad', title })
}
