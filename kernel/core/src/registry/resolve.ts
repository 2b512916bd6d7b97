import { silent } from '@gateway/metrics'
import {
  type AnyRef,
  type Collection,
  type CollectionRef,
  type Contribution,
  type ContributionRef,
  type EventRef,
  eventRecorder,
  Forbidden,
  type GatewayWideRef,
  type InTenant,
  isSynthetic,
  type JobRef,
  type Plugin,
  type Principal,
  type Provider,
  type PublicEmitter,
  type Reach,
  type ReachRef,
  type Seal,
  type SharedRef,
  type Uses,
  type Waiting,
} from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { KERNEL_TENANT, type Store, sharedWith } from '@gateway/storage'
import type { Waits } from '@gateway/waiting'
import type { EventBus } from '../events/bus.ts'
import { reachesAll } from '../tenancy/reach.ts'
import type { CallScope } from './context.ts'
import { gatewayWideFor } from './gateway-wide.ts'
import { unwrap } from './uses.ts'

export type Resolver = (scope: CallScope) => Record<string, unknown>

export interface ResolveParts {
  readonly store: Store
  readonly plugins: readonly Plugin[]
  readonly configs: ReadonlyMap<string, unknown>
  readonly processServices: ReadonlyMap<string, unknown>
  /** The kernel's own services of scope `call`, by id. */
  readonly callServices: ReadonlyMap<string, (scope: CallScope) => unknown>
  readonly bus: () => EventBus
  readonly payloadCheck: (event: EventRef) => (payload: unknown) => void
  readonly waits: () => Waits
  readonly seals: (plugin: string, tenantId: string) => Seal
  /** The tenants that a caller reaches, its own first. */
  readonly reach: (principal: Principal) => Promise<readonly string[]>
  readonly runJob: (job: JobRef, scope: CallScope) => Promise<unknown>
}

/** Tenants for which resolved refs are kept, for each list of uses; resolving them again costs microseconds. */
const MAX_TENANTS = 500

/** Creates resolvers. Required refs that cannot be resolved were refused at plan time. */
export function resolution(parts: ResolveParts): {
  resolver(uses: Uses): Resolver
  collect<T>(ref: ContributionRef<T>, scope: CallScope): readonly T[]
} {
  const providers = new Map<string, Provider>()
  const contributions = new Map<string, Contribution[]>()
  for (const plugin of parts.plugins) {
    for (const provider of plugin.provides) providers.set(provider.ref.id, provider)
    for (const contribution of plugin.contributes) {
      contributions.set(contribution.to.id, [...(contributions.get(contribution.to.id) ?? []), contribution])
    }
  }
  const resolvers = new WeakMap<Uses, Resolver>()

  /** Splits a `uses` once: instances shared by a tenant's calls are created per tenant, the rest per call. */
  function resolver(uses: Uses): Resolver {
    let made = resolvers.get(uses)
    if (!made) resolvers.set(uses, (made = makeResolver(uses)))
    return made
  }

  function makeResolver(uses: Uses): Resolver {
    const shared: [string, AnyRef][] = []
    const perCall: [string, AnyRef][] = []
    for (const [name, use] of Object.entries(uses)) {
      const { ref } = unwrap(use)
      ;(isTenantWide(ref) ? shared : perCall).push([name, ref])
    }
    const tenants = new BoundedMap<string, Record<string, unknown>>(MAX_TENANTS)
    const forTenant = (tenantId: string): Record<string, unknown> => {
      let known = tenants.get(tenantId)
      if (!known) {
        known = Object.freeze(Object.fromEntries(shared.map(([name, ref]) => [name, resolveShared(ref, tenantId)])))
        tenants.set(tenantId, known)
      }
      return known
    }
    return (scope) => {
      const { commit } = scope
      if (perCall.length === 0 && commit === undefined) return forTenant(scope.tenantId)
      const resolved = { ...forTenant(scope.tenantId) }
      if (commit !== undefined) for (const [name, ref] of shared) resolved[name] = commit.join(ref, resolved[name])
      for (const [name, ref] of perCall) resolved[name] = resolvePerCall(ref, scope)
      return resolved
    }
  }

  const isTenantWide = (ref: AnyRef): boolean =>
    ref.kind === 'collection' ||
    ref.kind === 'config' ||
    ref.kind === 'kernel' ||
    (ref.kind === 'event' && (ref as EventRef).public === undefined) ||
    ref.kind === 'seal' ||
    (ref.kind === 'service' && parts.processServices.has(ref.id))

  function resolveShared(ref: AnyRef, tenantId: string): unknown {
    switch (ref.kind) {
      case 'collection':
        return parts.store.collection(ref as CollectionRef, tenantId)
      case 'config':
        return parts.configs.get(ref.id)
      case 'kernel':
        return parts.store.atomically(tenantId)
      case 'seal':
        return parts.seals(ref.id, tenantId)
      case 'event': {
        const check = parts.payloadCheck(ref as EventRef)
        return {
          emit(payload: unknown) {
            check(payload)
            parts.bus().emit(ref.id, payload, tenantId)
          },
        }
      }
      default:
        return 'metric' in ref && isSynthetic(tenantId) ? silent : parts.processServices.get(ref.id)
    }
  }

  function resolvePerCall(ref: AnyRef, scope: CallScope): unknown {
    switch (ref.kind) {
      case 'service':
        return callService(ref.id, scope)
      case 'contribution':
        return collect(ref as ContributionRef<unknown>, scope)
      case 'reach':
        return reachFor((ref as ReachRef<object>).of, scope)
      case 'gateway-wide':
        return gatewayWideFor(scope.principal, outside(parts.store.collection((ref as GatewayWideRef<object>).of, KERNEL_TENANT), scope))
      case 'shared': {
        const { of, field } = ref as SharedRef<object>
        return (owner: string) => sharedWith(scope.tenantId, parts.store.collection(of, owner), field)
      }
      case 'event':
        return publicEmitter(ref as EventRef, scope)
      case 'waiting': {
        const waiting = parts.waits().of(ref.id, scope, reachesAll(scope.principal))
        return {
          ...waiting,
          until: (wait) => (wait.seconds > 0 ? scope.outside(waiting.until(wait)) : wait.look()),
        } satisfies Waiting<unknown>
      }
      case 'job':
        return { run: () => parts.runJob(ref as JobRef, scope) }
      default:
        throw new Error(`a ref of kind ${ref.kind} cannot be resolved`)
    }
  }

  /** Resolves its recorders when it emits, because most calls that may emit do not. */
  function publicEmitter(ref: EventRef, scope: CallScope): PublicEmitter<object> {
    const { id: event } = ref
    const check = parts.payloadCheck(ref)
    return {
      async emit(payload, tx) {
        check(payload)
        const recorded = { eventId: scope.newId('event-'), event, payload }
        for (const recorder of collect(eventRecorder, scope)) await recorder.record(recorded, tx)
        tx.afterCommit(() => parts.bus().emit(event, payload, scope.tenantId))
      },
    }
  }

  /** Records outside of the caller's tenant, which a call with an idempotency key cannot change in its commit. */
  const outside = <Doc>(collection: Collection<Doc>, { commit }: CallScope): Collection<Doc> =>
    commit?.outsideTenant(collection) ?? collection

  function reachFor(ref: CollectionRef, scope: CallScope): Reach<object> {
    const { principal } = scope
    const inTenant = (tenantId: string): InTenant<object> => ({
      tenantId,
      collection: outside(parts.store.collection(ref, tenantId), scope),
    })
    return Object.assign(async () => (await parts.reach(principal)).map(inTenant), {
      of(tenantId: string) {
        if (tenantId === principal.tenantId || reachesAll(principal)) return inTenant(tenantId).collection
        throw Forbidden({ message: 'Only the operator may access another tenant.' })
      },
    })
  }

  function callService(id: string, scope: CallScope): unknown {
    if (scope.instances.has(id)) return scope.instances.get(id)
    const provider = providers.get(id)
    const instance = provider
      ? provider.create(resolver(provider.uses)(scope) as never, scope as never)
      : parts.callServices.get(id)?.(scope)
    scope.instances.set(id, instance)
    return instance
  }

  function collect<T>(ref: ContributionRef<T>, scope: CallScope): readonly T[] {
    return (contributions.get(ref.id) ?? []).map(({ uses, create }) => create(resolver(uses)(scope) as never, scope) as T)
  }

  return { resolver, collect }
}
