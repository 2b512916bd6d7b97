import type { Inventory, Offered } from '@gateway/kernel'
import { cutText, type Tool } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { UnknownFamily } from './errors.ts'

/** Which tools one endpoint lists: a list costs an agent its context, so it can take a part. Every tool can be called anywhere. */
export interface View {
  /** Part of the key under which lists are kept. */
  readonly id: string
  shows(tool: Offered<Tool>): boolean
}

/** `/mcp`: every tool that does not stand in another view only. */
export const everything: View = { id: 'all', shows: ({ item }) => item.listing !== 'core-only' }
/** `/mcp/core`: what an agent needs to find and call the rest. */
export const core: View = { id: 'core', shows: ({ item }) => item.listing !== 'default' }

/** Callers name family views: no more spellings than these are kept. */
const MAX_SPELLINGS = 200

/** `/mcp/t/{family,…}`: the tools of some plugins. Throws UNKNOWN_FAMILY, since an empty list would tell an agent nothing. */
export function familyViews({ tools }: Pick<Inventory, 'tools'>): (families: string) => View {
  const known = new Set([...tools.values()].filter(everything.shows).map(({ plugin }) => plugin))
  const views = new BoundedMap<string, View>(MAX_SPELLINGS)
  return (families) => {
    let view = views.get(families)
    if (view === undefined) {
      const wanted = new Set(families.split(','))
      const unknown = [...wanted].filter((family) => !known.has(family)).map((family) => cutText(family, 100))
      if (unknown.length > 0) throw UnknownFamily({ unknown: unknown.slice(0, 20), families: [...known] })
      view = { id: `t/${[...wanted].sort().join(',')}`, shows: (tool) => wanted.has(tool.plugin) && everything.shows(tool) }
      views.set(families, view)
    }
    return view
  }
}
