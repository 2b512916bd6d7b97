import type { Plugin, Principal } from '@gateway/sdk'
import { inventory } from '../kernel/core/src/registry/inventory.ts'
import type { Pages } from '../kernel/mcp/src/pages.ts'
import { perCaller, toolPages } from '../kernel/mcp/src/tool-list.ts'
import { core, everything, familyViews, type View } from '../kernel/mcp/src/views.ts'
import type { Settings } from '../kernel/settings/src/settings.ts'
import { estimatedTokens } from './tokens.ts'

/** Cost of the tools of one address in an agent's context. */
export interface ListFigures {
  readonly address: string
  readonly tools: number
  readonly tokens: number
}

const OPERATOR: Principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId: 'local' }

/** Measures the lists of these plugins for the operator, who may call everything. */
export function measureLists(plugins: readonly Plugin[]): ListFigures[] {
  const offered = inventory(plugins)
  const gateway = { inventory: offered, settings: { rbacEnforce: true, mcpPageSize: 1_000 } as Settings, tenantTools: () => [] }
  const list = perCaller(gateway, toolPages(gateway))
  const families = familyViews(offered)
  const listed = [...offered.tools.values()].filter(everything.shows).map(({ plugin }) => plugin)
  const views: [address: string, view: View][] = [
    ['/mcp', everything],
    ['/mcp/core', core],
    ...[...new Set(listed)].map((family): [string, View] => [`/mcp/t/${family}`, families(family)]),
  ]
  return views.map(([address, view]) => {
    // A list is at hand at once: there are no tools of a tenant to read.
    const bytes = (list(OPERATOR, view) as Pages)({})
    const { tools } = JSON.parse(bytes.toString()) as { tools: readonly unknown[] }
    return { address, tools: tools.length, tokens: estimatedTokens(bytes) }
  })
}
