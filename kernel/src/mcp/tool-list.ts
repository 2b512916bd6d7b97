import type { ObjectSchema, Role, Tool } from '@gateway/sdk'
import { decide } from '../access/may.ts'
import type { Gateway, Offered } from '../gateway.ts'
import { type Pages, pages } from './pages.ts'
import { everything, type View } from './views.ts'

/** The tools a role gets to see in a view: what it would be refused is not offered. */
export function visibleTools(
  { inventory, settings }: Pick<Gateway, 'inventory' | 'settings'>,
  role: Role,
  view: View = everything,
): readonly Offered<Tool>[] {
  return [...inventory.tools.values()].filter(
    (tool) => view.shows(tool) && decide(role, tool.item.capability, settings.rbacEnforce) !== 'denied',
  )
}

/** Family views are named by callers: no more than these are kept. */
const MAX_LISTS = 200

/**
 * The result of `tools/list` per role and view, serialised once and kept as bytes. No `outputSchema`: a client hands the
 * listing to a model, and output schemas would double the tokens it costs while every result explains itself; the
 * OpenAPI document has them.
 */
export function toolLists(gateway: Pick<Gateway, 'inventory' | 'settings'>): (role: Role, view: View) => Pages {
  const lists = new Map<string, Pages>()
  return (role, view) => {
    const key = `${role} ${view.id}`
    let list = lists.get(key)
    if (list === undefined) {
      const entries = visibleTools(gateway, role, view).map(({ item }) => toolEntry(item))
      list = pages('tools', entries, gateway.settings.mcpPageSize)
      if (lists.size >= MAX_LISTS) lists.clear()
      lists.set(key, list)
    }
    return list
  }
}

/** All four hints always: the protocol’s defaults (destructive, open world) are the opposite of most of these tools. */
export function toolEntry(tool: Tool): object {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: withSchemasAsObjects(tool.input),
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destructive',
      idempotentHint: tool.idempotent,
      openWorldHint: tool.openWorld,
    },
  }
}

/**
 * `true` and `false` are schemas too, but a client of the versions up to 2025-11-25 refuses a whole list over a property
 * that is one.
 */
function withSchemasAsObjects(input: ObjectSchema): object {
  const { properties = {} } = input as { properties?: Readonly<Record<string, unknown>> }
  if (!Object.values(properties).some((property) => typeof property === 'boolean')) return input
  const named = Object.entries(properties).map(([name, property]) => [name, asObject(property)])
  return { ...input, properties: Object.fromEntries(named) }
}

const asObject = (schema: unknown): unknown => {
  if (schema === true) return {}
  return schema === false ? { not: {} } : schema
}
