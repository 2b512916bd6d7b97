import type { Inventory, Offered } from '@gateway/kernel'
import { cutText, type Tool } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { UnknownFamily } from './errors.ts'

/**
 * Selects the tools that one endpoint lists: a list takes room in an agent's context. Every tool can be called at any endpoint.
 */
export interface View {
  /** Part of the key under which lists are cached. */
  readonly id: string
  shows(tool: Offered<Tool>): boolean
}

/** `/mcp`: every tool that is not only in another view. */
export const everything: View = { id: 'all', shows: ({ item }) => item.listing === 'default' || item.listing === 'core' }
/** `/mcp/core`: the tools that an agent needs to find and call the rest. */
export const core: View = { id: 'core', shows: ({ item }) => item.listing === 'core' || item.listing === 'core-only' }

/** Capacity of the cache of family views, whose spelling callers choose. */
const MAX_SPELLINGS = 200

/** `/mcp/t/{family,…}`: the tools of some plugins. Throws UNKNOWN_FAMILY, because an empty list would tell an agent nothing. */
export function familyViews({ tools }: Pick<Inventory, 'tools'>): (families: string) => View {
  const known = new Set([...tools.values()].filter(everything.shows).map(({ plugin }) => plugin))
  const views = new BoundedMap<string, View>(MAX_SPELLINGS)
  return (families) => {
    let view = views.get(families)
    if (view === undefined) {
      const wanted = new Set(families.split(','))
      const unknown = [...wanted].filter((family) => !known.has(family)).map((family) => cutText(family, 100))
      if (unknown.length > 0) throw UnknownFamily({ unknown: unknown.slice(0, 20), families: [...known] })
      view = { id: `t/${[...wanted].sort().join(',')}`, shows: (tool) => wanted.has(tool.plugin) && tool.item.listing !== 'core-only' }
      views.set(families, view)
    }
    return view
  }
}
