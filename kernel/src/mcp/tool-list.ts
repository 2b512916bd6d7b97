import type { Role, Tool } from '@gateway/sdk'
import { decide } from '../access/may.ts'
import type { Gateway, Offered } from '../gateway.ts'

/** The tools a role gets to see: what it would be refused is not offered. */
export function visibleTools({ inventory, settings }: Pick<Gateway, 'inventory' | 'settings'>, role: Role): readonly Offered<Tool>[] {
  return [...inventory.tools.values()].filter(({ item }) => decide(role, item.capability, settings.rbacEnforce) !== 'denied')
}

/**
 * The result of `tools/list` per role, serialised once and kept as bytes. No `outputSchema`: a client hands the listing
 * to a model, and output schemas would double the tokens it costs while every result explains itself; the OpenAPI
 * document has them.
 */
export function toolLists(gateway: Pick<Gateway, 'inventory' | 'settings'>): (role: Role) => Buffer {
  const lists = new Map<Role, Buffer>()
  return (role) => {
    let list = lists.get(role)
    if (list === undefined) {
      list = Buffer.from(JSON.stringify({ tools: visibleTools(gateway, role).map(({ item }) => toolEntry(item)) }))
      lists.set(role, list)
    }
    return list
  }
}

/** All four hints always: the protocol’s defaults (destructive, open world) are the opposite of most of these tools. */
export function toolEntry(tool: Tool): object {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input,
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destructive',
      idempotentHint: tool.idempotent,
      openWorldHint: tool.openWorld,
    },
  }
}
