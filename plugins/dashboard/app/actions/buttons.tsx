import type { ActionView } from '../contract.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { begin } from './begin.ts'
import { RecordMenu } from './record-menu.tsx'
import { applies } from './rules.ts'
import type { Target } from './target.ts'

export function ActionButton({ action, target, small = false }: { action: ActionView; target: Target; small?: boolean }) {
  const about = small ? `${action.label}: ${target.name}` : undefined
  return (
    <button type="button" class={`${action.tone}${small ? ' small' : ''}`} aria-label={about} onClick={() => begin(action, [target])}>
      {action.icon && !small && <Icon name={action.icon} />}
      {action.label}
    </button>
  )
}

interface RowActionsProps {
  readonly actions?: readonly ActionView[] | undefined
  readonly target: Target
  /** Path of the record that the row names: its actions are offered if the row has none of its own. */
  readonly record?: string | undefined
  /** All actions are behind the menu, where a row has little room. */
  readonly compact?: boolean
}

/**
 * The actions of one row: two are visible, more are behind a menu. What removes something is behind the menu as well, unless the rows
 * have no other action: a column of red buttons would hide all others.
 */
export function RowActions({ actions = [], target, record, compact = false }: RowActionsProps) {
  const fitting = actions.filter((action) => applies(action, target.scope.row))
  if (actions.length === 0 && record !== undefined) return <RecordMenu path={record} name={target.name} />
  if (fitting.length === 0) return null
  const plain = actions.length === 1 ? fitting : fitting.filter(({ tone }) => tone !== 'bad')
  const direct = compact ? [] : plain.length <= 2 ? plain : plain.slice(0, 1)
  const rest = fitting.filter((action) => !direct.includes(action))
  return (
    <span class="row-actions">
      {direct.map((action) => (
        <ActionButton key={action.id} action={action} target={target} small />
      ))}
      {rest.length > 0 && (
        <Menu label={`More actions: ${target.name}`}>
          {rest.map((action) => (
            <button type="button" key={action.id} class={action.tone} onClick={() => begin(action, [target])}>
              {action.label}
            </button>
          ))}
        </Menu>
      )}
    </span>
  )
}
