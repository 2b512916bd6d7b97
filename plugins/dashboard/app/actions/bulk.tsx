import type { ActionView } from '../contract.ts'
import { begin } from './begin.ts'
import { applies, formOf } from './rules.ts'
import type { Target } from './target.ts'

interface BulkProps {
  /** The actions, each with the selected targets that it is offered for. */
  readonly all: readonly { readonly action: ActionView; readonly targets: readonly Target[] }[]
  /** Number of all that are selected. */
  readonly count: number
  readonly clear: () => void
}

/** The actions on what is selected, each on those to which it applies. */
export function Bulk({ all, count, clear }: BulkProps) {
  const fitting = all
    .map(({ action, targets }) => ({ action, targets: targets.filter(({ scope }) => applies(action, scope.row)) }))
    .filter(({ targets }) => targets.length > 0)
  return (
    <div class="bulk" role="group" aria-label="Selected">
      <span role="status">{count} selected</span>
      {fitting.map(({ action, targets }, index) => (
        <button type="button" key={index} class={action.tone} onClick={() => begin(action, targets)}>
          {action.label}
          {targets.length < count && ` (${targets.length})`}
          {formOf(action) && ' …'}
        </button>
      ))}
      <button type="button" class="quiet" onClick={clear}>
        Clear
      </button>
    </div>
  )
}
