import type { Plugin } from '@gateway/sdk'

type Needs = ReadonlyMap<string, ReadonlySet<string>>

/** Returns a cycle in the graph as a path that ends where it begins, or undefined. */
export function cyclePath(needs: Needs): readonly string[] | undefined {
  const done = new Set<string>()
  const walk = (id: string, path: readonly string[]): readonly string[] | undefined => {
    const at = path.indexOf(id)
    if (at >= 0) return [...path.slice(at), id]
    if (done.has(id)) return undefined
    for (const next of needs.get(id) ?? []) {
      const found = walk(next, [...path, id])
      if (found) return found
    }
    done.add(id)
    return undefined
  }
  for (const id of needs.keys()) {
    const found = walk(id, [])
    if (found) return found
  }
  return undefined
}

/** Orders providers before their users and keeps the listed order otherwise, so that tool lists are stable. Expects no cycle. */
export function startOrder(plugins: readonly Plugin[], needs: Needs): readonly Plugin[] {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]))
  const order = new Set<Plugin>()
  const visit = (plugin: Plugin): void => {
    if (order.has(plugin)) return
    for (const id of needs.get(plugin.id) ?? []) visit(byId.get(id) as Plugin)
    order.add(plugin)
  }
  plugins.forEach(visit)
  return [...order]
}
