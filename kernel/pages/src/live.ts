import { type AnyRef, type Contribution, type OptionalRef, type Plugin, type Provider, tenantAdmin, type Uses } from '@gateway/sdk'

const COLLECTIONS_OF_KERNEL_SERVICES: Readonly<Record<string, readonly string[]>> = {
  [tenantAdmin.id]: ['gateway.tenants', 'gateway.api-keys'],
}

/**
 * Collections that a `uses` reads, through services and contributions: a change in one of them makes an answer stale. Data that
 * a process service keeps in memory is not covered.
 */
export function liveCollections(plugins: readonly Plugin[]): (uses: Uses) => readonly string[] {
  const providers = new Map<string, Provider>()
  const contributions = new Map<string, Contribution[]>()
  for (const { provides, contributes } of plugins) {
    for (const provider of provides) providers.set(provider.ref.id, provider)
    for (const one of contributes) contributions.set(one.to.id, [...(contributions.get(one.to.id) ?? []), one])
  }

  function collect(uses: Uses, found: Set<string>, seen: Set<Uses>): void {
    if (seen.has(uses)) return
    seen.add(uses)
    for (const use of Object.values(uses)) {
      const ref: AnyRef = use.kind === 'optional' ? (use as OptionalRef).of : use
      if (ref.kind === 'collection' || ref.kind === 'reach' || ref.kind === 'gateway-wide' || ref.kind === 'shared') found.add(ref.id)
      if (ref.kind === 'service') {
        for (const id of COLLECTIONS_OF_KERNEL_SERVICES[ref.id] ?? []) found.add(id)
        collect(providers.get(ref.id)?.uses ?? {}, found, seen)
      }
      if (ref.kind === 'contribution') for (const one of contributions.get(ref.id) ?? []) collect(one.uses, found, seen)
    }
  }

  return (uses) => {
    const found = new Set<string>()
    collect(uses, found, new Set())
    return [...found].sort()
  }
}
