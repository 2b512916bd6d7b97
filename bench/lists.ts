import { LOCAL_TENANT, type Plugin } from '@gateway/sdk'
import { inventory } from '../kernel/core/src/registry/inventory.ts'
import { toolLists } from '../kernel/mcp/src/tool-list.ts'
import { core, everything, familyViews, type View } from '../kernel/mcp/src/views.ts'
import type { Settings } from '../kernel/settings/src/settings.ts'
import { estimatedTokens } from './tokens.ts'

/** Cost of the tools of one address in an agent's context. */
export interface ListFigures {
  readonly address: string
  readonly tools: number
  readonly tokens: number
}

/** Measures the lists of these plugins for the operator, who may call everything. */
export function measureLists(plugins: readonly Plugin[]): ListFigures[] {
  const offered = inventory(plugins)
  const list = toolLists({ inventory: offered, settings: { rbacEnforce: true, mcpPageSize: 1_000 } as Settings })
  const families = familyViews(offered)
  const listed = [...offered.tools.values()].filter(everything.shows).map(({ plugin }) => plugin)
  const views: [address: string, view: View][] = [
    ['/mcp', everything],
    ['/mcp/core', core],
    ...[...new Set(listed)].map((family): [string, View] => [`/mcp/t/${family}`, families(family)]),
  ]
  return views.map(([address, view]) => {
    const bytes = list({ role: 'operator', tenantId: LOCAL_TENANT }, view)({})
    const { tools } = JSON.parse(bytes.toString()) as { tools: readonly unknown[] }
    return { address, tools: tools.length, tokens: estimatedTokens(bytes) }
  })
}
