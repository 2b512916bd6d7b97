import { type Plugin, type TenantTool, type TenantTools, type Tool, tenantTools } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { namedArguments } from '@gateway/validation'
import type { Offered } from '../gateway.ts'
import type { CallScope } from './context.ts'
import type { Resolver } from './resolve.ts'

interface OwnTool extends Offered<Tool> {
  readonly validate: (args: unknown) => Record<string, unknown>
}
/** The array is identical for as long as the tenant has the same tools, because derived data is cached by it. */
export type OwnTools = readonly OwnTool[]

/** Capacity of the cache of tenants' tools; the least recently used tenant is evicted and read again when needed. */
const MAX_TENANTS = 1_000

const NONE: OwnTools = Object.freeze([])

/** Lists the tools that plugins contribute for a tenant, in plugin order. Synchronous if no plugin contributes any. */
export function tenantToolLists({
  plugins,
  resolver,
  isTaken,
  onBlocked,
}: {
  readonly plugins: readonly Plugin[]
  readonly resolver: (uses: Plugin['contributes'][number]['uses']) => Resolver
  readonly isTaken: (name: string) => boolean
  /** Reports tenants that are no longer admitted. */
  readonly onBlocked: (listener: (tenantId: string) => void) => void
}): (scope: CallScope) => OwnTools | Promise<OwnTools> {
  const sources = plugins.flatMap((plugin) =>
    plugin.contributes
      .filter(({ to }) => to.id === tenantTools.id)
      .map(({ uses, create, errors = [] }) => ({ plugin: plugin.id, uses, errors, create: create as Source['create'] })),
  )
  if (sources.length === 0) return () => NONE
  const lists = new BoundedMap<string, { readonly revision: string; readonly tools: OwnTools }>(MAX_TENANTS)
  onBlocked((tenantId) => lists.delete(tenantId))

  async function of(scope: CallScope): Promise<OwnTools> {
    const bound = sources.map((source) => ({ ...source, tools: source.create(resolver(source.uses)(scope) as never, scope) }))
    const revisions = await Promise.all(bound.map(({ tools }) => tools.revision()))
    const { tenantId } = scope
    const known = lists.get(tenantId)
    if (revisions.every((revision) => revision === '')) {
      lists.delete(tenantId)
      return NONE
    }
    // The revision is read before the list: a change in between only makes the next call read the list once more.
    const revision = JSON.stringify(revisions)
    const tools = known?.revision === revision ? known.tools : own(await Promise.all(bound.map(offeredBy)))
    lists.set(tenantId, { revision, tools })
    return tools
  }

  const offeredBy = async ({ tools, ...source }: (typeof sources)[number] & { readonly tools: TenantTools }): Promise<OwnTool[]> =>
    (await tools.list()).map((tool) => ({
      plugin: source.plugin,
      item: asTool(tool, source),
      validate: (args) => tool.validate(namedArguments(args)),
    }))

  /** Among tools of one name the first counts; names of the gateway are left out. */
  function own(offered: readonly (readonly OwnTool[])[]): OwnTools {
    const byName = new Map<string, OwnTool>()
    for (const tool of offered.flat()) if (!isTaken(tool.item.name) && !byName.has(tool.item.name)) byName.set(tool.item.name, tool)
    return Object.freeze([...byName.values()])
  }

  return of
}

interface Source {
  readonly uses: Tool['uses']
  readonly errors: Tool['errors']
  readonly create: (uses: never, scope: CallScope) => TenantTools
}

function asTool(tool: TenantTool, { uses, errors, create }: Source): Tool {
  return {
    kind: 'tool',
    name: tool.name,
    description: tool.description,
    capability: tool.capability,
    effect: tool.effect,
    idempotent: tool.idempotent ?? tool.effect === 'read',
    openWorld: tool.openWorld ?? false,
    // The short list holds the gateway's own tools; a tenant's tools are found from there.
    listing: 'default',
    rest: undefined,
    status: 200,
    input: tool.input,
    output: { type: 'object' },
    errors,
    uses,
    handle: (args, resolved, ctx) => create(resolved, ctx as CallScope).call(tool, args),
  }
}
