import { type Gateway, maySee, type Offered, type Standing, standingKey } from '@gateway/kernel'
import type { Principal, Tool } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { published } from '@gateway/sdk/portable'
import type { Tool as WireTool } from '@modelcontextprotocol/sdk/types.js'
import { type Pages, pages } from './pages.ts'
import { everything, type View } from './views.ts'

type Listing = Pick<Gateway, 'inventory' | 'settings'>

/** The tools that a caller sees in a view; tools that would always refuse it are left out. */
export function visibleTools({ inventory, settings }: Listing, caller: Standing, view: View = everything): readonly Offered<Tool>[] {
  return visibleOf([...inventory.tools.values()], settings, caller, view)
}

function visibleOf(tools: readonly Offered<Tool>[], settings: Gateway['settings'], caller: Standing, view: View): readonly Offered<Tool>[] {
  return tools.filter((tool) => view.shows(tool) && maySee(caller, tool.item, settings.rbacEnforce))
}

/** Capacity of the cache of lists, by standing and view: callers choose family views. */
const MAX_LISTS = 200

function perStandingAndView<T>(gateway: Listing, make: (tools: readonly Offered<Tool>[]) => T): (caller: Standing, view: View) => T {
  const lists = new BoundedMap<string, T>(MAX_LISTS)
  return (caller, view) => {
    const key = `${standingKey(caller)} ${view.id}`
    let list = lists.get(key)
    if (list === undefined) {
      list = make(visibleTools(gateway, caller, view))
      lists.set(key, list)
    }
    return list
  }
}

/**
 * Capacity of the cache of lists with a tenant's own tools: each repeats those of the gateway, a quarter of a megabyte in all.
 */
const MAX_OWN_LISTS = 50

/** Computes a value for one caller: its tenant's own tools come last, and the value is cached for that tenant. */
export function perCaller<T>(
  gateway: Listing & Pick<Gateway, 'tenantTools'>,
  make: (tools: readonly Offered<Tool>[]) => T,
): (caller: Principal, view: View) => T | Promise<T> {
  const shared = perStandingAndView(gateway, make)
  const lists = new BoundedMap<string, { readonly of: readonly Offered<Tool>[]; readonly list: T }>(MAX_OWN_LISTS)

  function listFor(own: readonly Offered<Tool>[], caller: Principal, view: View): T {
    const shown = visibleOf(own, gateway.settings, caller, view)
    if (shown.length === 0) return shared(caller, view)
    const key = `${caller.role} ${view.id} ${caller.tenantId}`
    const known = lists.get(key)
    const list = known?.of === own ? known.list : make([...visibleTools(gateway, caller, view), ...shown])
    lists.set(key, { of: own, list })
    return list
  }

  return (caller, view) => {
    const { confinedTo } = caller
    if (confinedTo !== undefined)
      return make([...gateway.inventory.tools.values()].filter(({ item }) => Object.hasOwn(confinedTo, item.name)))
    const own = gateway.tenantTools(caller)
    return own instanceof Promise ? own.then((tools) => listFor(tools, caller, view)) : listFor(own, caller, view)
  }
}

/**
 * The result of `tools/list`, serialised once and kept as bytes. It has no `outputSchema`: a client passes the listing to a
 * model, and output schemas would double the tokens while every result explains itself; the OpenAPI document has them.
 */
export const toolPages =
  ({ settings, inventory }: Listing) =>
  (tools: readonly Offered<Tool>[]): Pages => {
    const apps = new Set(inventory.resources.map(({ item }) => item.uri))
    return pages(
      'tools',
      tools.map(({ item }) => toolEntry(item, apps)),
      settings.mcpPageSize,
    )
  }

/**
 * All four hints are always present: the protocol's defaults (destructive, open world) are the opposite of most of these tools. The URI of
 * an app is for the host, which keeps it from the model; it is left out unless the app is among `apps`.
 */
export function toolEntry(tool: Tool, apps?: ReadonlySet<string>): WireTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: published(tool.input) as WireTool['inputSchema'],
    annotations: {
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'destructive',
      idempotentHint: tool.idempotent,
      openWorldHint: tool.openWorld,
    },
    ...(tool.app !== undefined && apps?.has(tool.app) && { _meta: { ui: { resourceUri: tool.app } } }),
  }
}
