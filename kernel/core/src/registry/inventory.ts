import type { Plugin } from '@gateway/sdk'
import type { Inventory, Offered } from '../gateway.ts'

/** Lists everything the plugins offer, in their order, by name. Names are known to be unique. */
export function inventory(plugins: readonly Plugin[]): Inventory {
  const offered = <T>(items: (plugin: Plugin) => readonly T[]): Offered<T>[] =>
    plugins.flatMap((plugin) => items(plugin).map((item) => ({ plugin: plugin.id, item })))
  const named = <T extends { readonly name: string }>(items: (plugin: Plugin) => readonly T[]): ReadonlyMap<string, Offered<T>> =>
    new Map(offered(items).map((entry) => [entry.item.name, entry]))
  return {
    plugins,
    tools: named((plugin) => plugin.tools),
    routes: named((plugin) => plugin.routes),
    resources: offered((plugin) => plugin.resources),
    prompts: named((plugin) => plugin.prompts),
  }
}
