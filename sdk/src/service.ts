import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'

/** `call`: created once per call, bound to its tenant. `process`: created once, shared by all tenants, holds no tenant's data. */
export type ServiceScope = 'call' | 'process'

/** A token for an interface that one plugin provides and others use. Exported from the provider's `./api`. */
export interface ServiceRef<T> extends Ref<'service', T> {
  readonly scope: ServiceScope
}

/** Declares an interface that one plugin provides; export it from its `./api`. */
export function defineService<T>(id: string, scope: ServiceScope = 'call'): ServiceRef<T> {
  return { kind: 'service', id, scope }
}

/** Returned by `provide` and `provideProcess`; list it in `provides` of a plugin. */
export interface Provider {
  readonly ref: ServiceRef<unknown>
  readonly uses: Uses
  readonly create: (uses: never, ctx: never) => unknown
}

const PROVIDER: MembersOf<typeof provide, 1> = { uses: true, create: true }

/** Provides a service for each call. A service of scope `process` takes `provideProcess`. */
export function provide<T, const U extends Uses = Record<never, never>>(
  ref: ServiceRef<T>,
  spec: { uses?: U; create: (uses: Resolved<U>, ctx: CallContext) => NoInfer<T> },
): Provider {
  refuseUnknown(`provide ${ref?.id}`, spec, PROVIDER)
  return { ref, uses: spec.uses ?? {}, create: spec.create as Provider['create'] }
}

/**
 * Provides a service created once per process. It may use settings and other process services only. A service with
 * `Symbol.asyncDispose` is disposed of when its plugin stops, after the plugin's own `stop`.
 */
export function provideProcess<T, const U extends Uses = Record<never, never>>(
  ref: ServiceRef<T>,
  spec: { uses?: U; create: (uses: Resolved<U>) => NoInfer<T> },
): Provider {
  refuseUnknown(`provide ${ref?.id}`, spec, PROVIDER)
  return { ref, uses: spec.uses ?? {}, create: spec.create as Provider['create'] }
}
