import type { Refusal } from '../api.ts'
import type { ActionView } from '../contract.ts'
import type { Values } from '../form.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { cut, plain } from '../text.ts'
import { act } from './act.ts'
import type { Target } from './target.ts'

/** Outcome of the action on one of several targets. */
export interface Verdict {
  readonly name: string
  readonly refusal?: Refusal
}

/** Limited to four because the gateway also serves others. */
const AT_ONCE = 4

export async function actOnAll(action: ActionView, targets: readonly Target[], values: Values): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  const queue = targets.entries()
  const work = async (): Promise<void> => {
    for (const [index, { name, scope }] of queue) {
      const answer = await act(action, scope, values, true)
      verdicts[index] = answer.ok ? { name } : { name, refusal: answer.refusal }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return verdicts
}

export function Verdicts({ action, verdicts, close }: { action: ActionView; verdicts: readonly Verdict[]; close: () => void }) {
  const refused = verdicts.filter(({ refusal }) => refusal).length
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
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}
