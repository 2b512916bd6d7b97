import { callMeter, type Metrics } from '@gateway/metrics'
import {
  type CallRecord,
  type ContributionRef,
  callObserver,
  isToolError,
  type JobRef,
  LOCAL_TENANT,
  type Plugin,
  type Principal,
  type Seal,
  tenantBegan,
  toolbox,
  type Uses,
} from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { type Store, tenantDeleted } from '@gateway/storage'
import { Waits } from '@gateway/waiting'
import { InternalError, Overloaded, TenantSuspended } from '../errors.ts'
import { type EventBus, eventBus } from '../events/bus.ts'
import { payloadChecks } from '../events/payload-checks.ts'
import type { Inventory } from '../gateway.ts'
import { newId } from '../ids.ts'
import type { AuditTrail, Refusals } from '../ports/audit.ts'
import type { JobParts, JobRunner } from '../ports/jobs.ts'
import type { Relay } from '../ports/relay.ts'
import { type Admission, shareOf } from '../registry/admission.ts'
import { CallScope, type Surroundings } from '../registry/context.ts'
import { type Invoker, invoker } from '../registry/invoke.ts'
import type { RateLimits } from '../registry/rate-limits.ts'
import { resolution } from '../registry/resolve.ts'
import { recordRun } from '../registry/run-records.ts'
import { type OwnTools, tenantToolLists } from '../registry/tenant-tools.ts'
import { passOn, toolboxes } from '../registry/toolbox.ts'
import { useSites } from '../registry/uses.ts'
import type { TenantDirectory } from '../tenancy/directory.ts'
import { openKnownTenants } from '../tenancy/known-tenants.ts'
import { reachOf } from '../tenancy/reach.ts'

export interface WireParts extends Surroundings {
  readonly plugins: readonly Plugin[]
  readonly inventory: Inventory
  readonly store: Store
  readonly audit: AuditTrail
  readonly refusals: Refusals
  readonly relay: Relay
  readonly jobRunner: (parts: JobParts) => JobRunner
  readonly configs: ReadonlyMap<string, unknown>
  readonly processServices: ReadonlyMap<string, unknown>
  readonly directory: TenantDirectory
  readonly seals: (plugin: string, tenantId: string) => Seal
  readonly checkOutputs: boolean
  readonly admission: Admission
  readonly metrics: Metrics
  readonly rates: RateLimits
  readonly settings: Settings
}

/** The sealed gateway: everything is resolved, nothing is served yet. */
export interface Wired {
  readonly calls: Invoker
  readonly bus: EventBus
  readonly jobs: JobRunner
  readonly waits: Waits
  collect<T>(ref: ContributionRef<T>, principal: Principal): readonly T[]
  tenantTools(principal: Principal): OwnTools | Promise<OwnTools>
  /** True if a tenant has called in this process: callers within it need no record. */
  hasCalled(tenantId: string): boolean
  /** Lets call observers store their pending data. Nothing is called afterwards. */
  closeObservers(): Promise<unknown>
}

/** Connects refs to instances. The bus, the jobs and the calls need each other; each reaches the others at run time. */
export function wire(parts: WireParts): Wired {
  const { plugins, inventory, store, log, clock } = parts
  const known = openKnownTenants(store, (tenantId) => bus.emit(tenantBegan.id, {}, tenantId))
  const callers = toolboxes({
    inventory,
    enforced: parts.shadow.enforced,
    tenantTools: (scope) => tenantTools(scope),
    invoke: (call) => calls.inner(call),
  })
  const { resolver, collect } = resolution({
    store,
    plugins,
    configs: parts.configs,
    processServices: parts.processServices,
    callServices: new Map([[toolbox.id, callers]]),
    bus: () => bus,
    payloadCheck: payloadChecks(parts.checkOutputs, log),
    waits: () => waits,
    seals: parts.seals,
    reach: (principal) => reachOf(principal, tenants),
    runJob: (job, scope) => jobs.runFor(job, scope.principal),
  })

  async function tenants(leftOut: readonly string[] = ['deleted']): Promise<readonly string[]> {
    const all = new Set([LOCAL_TENANT, ...(await known.all())])
    return without(leftOut, all)
  }

  /** A tenant that only a session token has named has no record and counts as active. */
  const without = (leftOut: readonly string[], tenantIds: Iterable<string>): readonly string[] =>
    [...tenantIds].filter((tenantId) => !leftOut.includes(parts.directory.statusOf(tenantId) ?? 'active'))

  const leftOutOf = ({ activeTenantsOnly }: JobRef): readonly string[] => (activeTenantsOnly ? ['deleted', 'suspended'] : ['deleted'])

  /** Runs plugin code that no caller asked for, as `system`, in one tenant. */
  async function runAsSystem<T>(
    origin: { plugin: string; operation: string; via: 'job' | 'event'; tenantId: string; signal?: AbortSignal },
    uses: Uses,
    run: (resolved: never, scope: CallScope) => Promise<T>,
  ): Promise<T> {
    const { tenantId, via, signal, ...owner } = origin
    const principal: Principal = { id: 'system', kind: 'system', role: 'system', tenantId }
    const call = { principal, via, requestId: newId(`${via}-`, clock.now()), ...(signal && { signal }) }
    const scope = new CallScope(call, owner, parts)
    const startedAt = performance.now()
    const ended = (decision: string): Promise<void> =>
      recordRun({ ...parts, observe }, { scope, operation: owner.operation, decision, startedAt })
    let result: T
    try {
      result = await run(resolver(uses)(scope) as never, scope)
    } catch (error) {
      await ended(isToolError(error) ? error.code : InternalError.code)
      throw error
    }
    await ended('ok')
    return result
  }

  const bus = eventBus(plugins, log, parts.relay, ({ plugin, subscription }, payload, tenantId) =>
    runAsSystem({ plugin, operation: `on ${subscription.event.id}`, via: 'event', tenantId }, subscription.uses, (resolved, scope) =>
      subscription.handle(payload as never, resolved, scope),
    ),
  )

  const waits = new Waits({
    now: () => clock.now(),
    shareOf: (limit) => (parts.admission.isShared ? shareOf(limit) : limit),
    overloaded: (message) => Overloaded({ message, retryAfterSeconds: 5 }),
    failed: (err) => log.warn({ err }, 'the due times of waiting calls could not be read'),
    relay: parts.relay,
    subscribe: bus.subscribe,
  })
  for (const plugin of plugins)
    for (const { uses } of useSites(plugin)) for (const { kind, id } of Object.values(uses)) if (kind === 'waiting') waits.watch(id)
  parts.directory.onBlocked((tenantId) => {
    const status = parts.directory.statusOf(tenantId)
    waits.endTenant(tenantId, passOn(TenantSuspended({ tenantId, ...(status === 'deleted' && { status }) })))
  })

  const jobs = parts.jobRunner({
    plugins,
    store,
    log,
    metrics: parts.metrics,
    tenants: (job) => tenants(leftOutOf(job)),
    async dueTenants(job) {
      const found = await Promise.all(job.due.map(({ collection, where }) => store.tenantsWith(collection, where)))
      return without(leftOutOf(job), new Set(found.flat()))
    },
    runIn: (job, plugin, tenantId, signal) =>
      runAsSystem({ plugin, operation: `job ${job.id}`, via: 'job', tenantId, signal }, job.uses, (resolved, scope) =>
        job.run(resolved, scope),
      ),
  })

  const tenantTools = tenantToolLists({
    plugins,
    resolver,
    onBlocked: parts.directory.onBlocked,
    isTaken: (name) => inventory.tools.has(name) || inventory.routes.has(name),
  })

  /** Scope of a transport that reads for a caller outside any call. */
  const readingScope = (principal: Principal, operation: string): CallScope =>
    new CallScope({ principal, via: 'event', requestId: newId('read-', clock.now()) }, { plugin: 'kernel', operation }, parts)

  const collectFor = <T>(ref: ContributionRef<T>, principal: Principal): readonly T[] => collect(ref, readingScope(principal, ref.id))

  // Created once, because an observer is on the hot path and belongs to no tenant.
  const observers = collectFor(callObserver, { id: 'system', kind: 'system', role: 'system', tenantId: LOCAL_TENANT })
  const count = callMeter(parts.metrics, (name) => inventory.tools.has(name))
  function observe(call: CallRecord): void {
    count(call)
    for (const observer of observers) observer.observe(call)
  }
  /** A call that outlasts its tenant begins nothing further that writes. */
  function ensureKnown(tenantId: string): Promise<void> | undefined {
    if (parts.directory.statusOf(tenantId) === 'deleted') throw tenantDeleted(tenantId)
    return known.ensureKnown(tenantId)
  }
  const calls = invoker({ ...parts, resolver, ensureKnown, tenantTools, observe })
  const closeObservers = (): Promise<unknown> => Promise.all(observers.map(async (observer) => observer.close?.()))
  return {
    calls,
    bus,
    jobs,
    waits,
    hasCalled: known.has,
    closeObservers,
    collect: collectFor,
    tenantTools: (principal) => tenantTools(readingScope(principal, 'tools/list')),
  }
}
