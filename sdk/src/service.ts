import type { CallContext } from './context.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'

/** `call`: made once per call, bound to its tenant. `process`: made once, shared by all tenants, holds no tenant’s data. */
export type ServiceScope = 'call' | 'process'

/** A token for an interface that one plugin provides and others use. Exported from the provider’s `./api`. */
export interface ServiceRef<T> extends Ref<'service', T> {
  readonly scope: ServiceScope
}

/** Declare an interface that one plugin provides; exported from its `./api` for those who use it. */
export function defineService<T>(id: string, scope: ServiceScope = 'call'): ServiceRef<T> {
  return { kind: 'service', id, scope }
}

/** What `provide` and `provideProcess` make; listed in `provides` of a plugin. */
export interface Provider {
  readonly ref: ServiceRef<unknown>
  readonly uses: Uses
  readonly create: (uses: never, ctx: never) => unknown
}

const PROVIDER: MembersOf<typeof provide, 1> = { uses: true, create: true }

/** Provide a service for each call. A service of scope `process` takes `provideProcess`. */
export function provide<T, const U extends Uses = Record<never, never>>(
  ref: ServiceRef<T>,
  spec: { uses?: U; create: (uses: Resolved<U>, ctx: CallContext) => NoInfer<T> },
): Provider {
  refuseUnknown(`provide ${ref?.id}`, spec, PROVIDER)
  return { ref, uses: spec.uses ?? {}, create: spec.create as Provider['create'] }
}

/**
 * Provide a service made once per process. It may use settings and other process services only. One that has
 * `Symbol.asyncDispose` is disposed of when its plugin stops, after the plugin’s own `stop`.
 */
export function provideProcess<T, const U extends Uses = Record<never, never>>(
  ref: ServiceRef<T>,
  spec: { uses?: U; create: (uses: Resolved<U>) => NoInfer<T> },
): Provider {
  refuseUnknown(`provide ${ref?.id}`, spec, PROVIDER)
  return { ref, uses: spec.uses ?? {}, create: spec.create as Provider['create'] }
}
