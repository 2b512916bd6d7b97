import {
  type AnyRef,
  eventRecorder,
  type Operation,
  type OptionalRef,
  type Plugin,
  type Tool,
  tenantAdmin,
  tenantRemoval,
  toolbox,
  type Uses,
} from '@gateway/sdk'

/** Refs whose effects cannot be part of a transaction of the caller's tenant: other tenants, jobs, and calls of other tools. */
const KINDS = new Set(['reach', 'gateway-wide', 'job'])
const SERVICES = new Set<string>([toolbox.id, tenantAdmin.id, tenantRemoval.id])

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
    if (KINDS.has(ref.kind) || (ref.kind === 'service' && SERVICES.has(ref.id))) return true
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
