import type { Tool } from '@gateway/sdk'
import type { Offered } from '../gateway.ts'

/** Which tools one endpoint lists: a list costs an agent its context, so it can take a part. */
export interface View {
  /** Part of the key under which lists are kept. */
  readonly id: string
  shows(tool: Offered<Tool>): boolean
}

/** `/mcp`: every tool that does not stand in another view only. */
export const everything: View = { id: 'all', shows: ({ item }) => item.listing !== 'core-only' }
/** `/mcp/core`: what an agent needs to find and call the rest. */
export const core: View = { id: 'core', shows: ({ item }) => item.listing !== 'default' }
/** `/mcp/t/{family,…}`: the tools of some plugins. */
export function familyView(families: readonly string[]): View {
  const wanted = new Set(families)
  return {
    id: `t/${[...wanted].sort().join(',')}`,
    shows: (tool) => wanted.has(tool.plugin) && everything.shows(tool),
  }
}
