import { wireOf } from '../api.ts'
import { argumentsOf } from '../arguments.ts'
import type { ActionView } from '../contract.ts'
import type { Values } from '../form.tsx'
import { CopyButtons } from '../parts/copy.tsx'
import { Menu } from '../parts/menu.tsx'
import { argumentsFor } from './act.ts'
import type { Target } from './target.ts'

/** In a multi-line text Enter inserts a line; with Ctrl or Cmd it submits. */
export function submitFromText(event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}

export function CopyMenu({ action, target, values }: { action: ActionView; target: Target; values: () => Values }) {
  let args: Record<string, unknown>
  try {
    args = argumentsFor(action, target.scope, values())
  } catch {
    // The typed text is not JSON yet.
    args = argumentsOf(action, target.scope)
  }
  return (
    <Menu label="Copy this call">
      <CopyButtons tool={action.tool} wire={wireOf(action, args)} args={args} />
    </Menu>
  )
}
