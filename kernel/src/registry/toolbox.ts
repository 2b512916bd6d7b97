import { atLeast, Forbidden, type OnBehalf, type Tool, type Toolbox, ToolError, type ToolInfo } from '@gateway/sdk'
import { decide } from '../access/may.ts'
import type { Call, Inventory, Offered, Outcome } from '../gateway.ts'
import type { CallScope } from './context.ts'

export interface ToolboxParts {
  readonly inventory: Inventory
  readonly enforced: boolean
  readonly invoke: (call: Call) => Promise<Outcome>
}

/** Refusals that came from a called tool: they pass through the calling one undeclared. */
const passed = new WeakSet<ToolError>()
export const isPassedOn = (error: ToolError): boolean => passed.has(error)

/** The tools as one caller may call them, and calls on the one path, audited as the caller’s own. */
export function toolboxFor(scope: CallScope, { inventory, enforced, invoke }: ToolboxParts): Toolbox {
  const open = ({ item }: Offered<Tool>): boolean =>
    item.listing !== 'core-only' && decide(scope.principal.role, item.capability, enforced) !== 'denied'
  return {
    list: () => [...inventory.tools.values()].filter(open).map(about),
    get(name) {
      const found = inventory.tools.get(name)
      return found && open(found) ? about(found) : undefined
    },
    async call(name, args, { as } = {}) {
      if (as) checkRank(scope, as)
      const outcome = await invoke(scope.asCall(name, args, as))
      if (outcome.ok)
        return outcome.content === undefined ? { result: outcome.result } : { result: outcome.result, content: outcome.content }
      const { code, error, details } = outcome.error
      const refusal = new ToolError(code, outcome.status, error, details)
      passed.add(refusal)
      throw refusal
    },
  }
}

/** Acting for another lends no power: who could call as anyone could do anything. */
function checkRank({ principal }: CallScope, { id, role }: OnBehalf): void {
  if (atLeast(principal.role, role)) return
  throw Forbidden({ message: `A caller with the role ${principal.role} cannot act for ${id}, whose role is ${role}.` })
}

const about = ({ plugin, item: { name, description, capability, effect, input } }: Offered<Tool>): ToolInfo => ({
  name,
  plugin,
  description,
  capability,
  effect,
  input,
})
