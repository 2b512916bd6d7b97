import type { AnyRef, OptionalRef, Plugin, Uses } from '@gateway/sdk'

export interface UseSite {
  readonly where: string
  readonly uses: Uses
  /** Process services are created before any call, so refs that belong to a call are out of their reach. */
  readonly processScope: boolean
}

export function* useSites(plugin: Plugin): Generator<UseSite> {
  const site = (where: string, uses: Uses, processScope = false): UseSite => ({ where, uses, processScope })
  for (const tool of plugin.tools) yield site(`tool ${tool.name}`, tool.uses)
  for (const route of plugin.routes) yield site(`route ${route.name}`, route.uses)
  for (const resource of plugin.resources) yield site(`resource ${resource.uri}`, resource.uses)
  for (const prompt of plugin.prompts) yield site(`prompt ${prompt.name}`, prompt.uses)
  for (const job of plugin.jobs) yield site(`job ${job.id}`, job.uses)
  for (const provider of plugin.provides) yield site(`service ${provider.ref.id}`, provider.uses, provider.ref.scope === 'process')
  for (const contribution of plugin.contributes) yield site(`contribution to ${contribution.to.id}`, contribution.uses)
  for (const subscription of plugin.on) yield site(`listener of ${subscription.event.id}`, subscription.uses)
}

export function unwrap(ref: AnyRef): { ref: AnyRef; required: boolean } {
  return ref.kind === 'optional' ? { ref: (ref as OptionalRef).of, required: false } : { ref, required: true }
}

/** Returns the plugins among `others` that the plugin requires, directly or indirectly. */
export function neededPlugins(plugin: Plugin, others: readonly Plugin[]): readonly Plugin[] {
  const needed = new Set<Plugin>()
  const visit = (user: Plugin): void => {
    for (const { uses } of useSites(user)) {
      for (const use of Object.values(uses)) {
        const { ref, required } = unwrap(use)
        const provider =
          required && ref.kind === 'service' ? others.find(({ provides }) => provides.some((one) => one.ref.id === ref.id)) : undefined
        if (provider === undefined || provider === plugin || needed.has(provider)) continue
        needed.add(provider)
        visit(provider)
      }
    }
  }
  visit(plugin)
  return [...needed]
}
