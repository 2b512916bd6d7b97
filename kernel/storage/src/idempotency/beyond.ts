import {
  type AnyRef,
  eventRecorder,
  type Operation,
  type OptionalRef,
  type Plugin,
  type Tool,
  tenantRemoval,
  type Uses,
} from '@gateway/sdk'

/**
 * Services whose effects cannot be part of a transaction of the caller's tenant. Other tenants, gateway-wide records, keys and the tools
 * that a call calls are missing, because most calls only read there: `CallCommit` reserves the key when such a call goes further.
 */
const SERVICES = new Set<string>([tenantRemoval.id])

/**
 * Selects operations that may have effects beyond one commit: those that declare it (`openWorld`), and those that use a ref
 * which does, directly or through a service or a contribution.
 */
export function effectsBeyondCommit(plugins: readonly Plugin[]): (operation: Operation) => boolean {
  const usesOf = new Map<string, readonly Uses[]>()
  const add = (id: string, uses: Uses): unknown => usesOf.set(id, [...(usesOf.get(id) ?? []), uses])
  for (const plugin of plugins) {
    for (const { ref, uses } of plugin.provides) if (ref.scope === 'call') add(`service ${ref.id}`, uses)
    for (const { to, uses } of plugin.contributes) add(`contribution ${to.id}`, uses)
  }
  const known = new Map<string, boolean>()

  function isBeyond(use: AnyRef): boolean {
    const ref = use.kind === 'optional' ? (use as OptionalRef).of : use
    if (ref.kind === 'job' || (ref.kind === 'service' && SERVICES.has(ref.id))) return true
    const isPublic = ref.kind === 'event' && 'public' in ref
    const name = isPublic ? `contribution ${eventRecorder.id}` : `${ref.kind} ${ref.id}`
    const found = known.get(name)
    if (found !== undefined) return found
    known.set(name, false)
    const beyond = (usesOf.get(name) ?? []).some((uses) => Object.values(uses).some(isBeyond))
    known.set(name, beyond)
    return beyond
  }

  return (operation) => ((operation as Tool).openWorld ?? false) || Object.values(operation.uses).some(isBeyond)
}
