import { join } from 'node:path'
import { inFlight, Metrics, measureProcess, waitingCalls } from '@gateway/metrics'
import {
  type AuditSearch,
  auditSearch,
  externalData,
  type GatewayNodes,
  gatewayHealth,
  gatewayInfo,
  gatewayMetrics,
  gatewayNodes,
  type HealthProbe,
  healthProbe,
  installedPlugins,
  type MetricReading,
  metricReading,
  type Plugin,
  type StoreFiles,
  sessionCheck,
  shadowReport,
  storeFiles,
  type TenantAdmin,
  type Ticket,
  type TokenCheck,
  tenantAdmin,
  tenantCache,
  tenantRemoval,
  tokenCheck,
} from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import type { Settings } from '@gateway/settings'
import { migrationMarks, refuseUnfinishedCopy, withdrawAnswers } from '@gateway/storage'
import { FairScheduler } from '@gateway/waiting'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../clock.ts'
import type { EventBus } from '../events/bus.ts'
import type { Gateway, PluginReport } from '../gateway.ts'
import type { AccessParts } from '../ports/access.ts'
import type { JobRunner } from '../ports/jobs.ts'
import { Admission } from '../registry/admission.ts'
import { inventory } from '../registry/inventory.ts'
import { RateLimits } from '../registry/rate-limits.ts'
import { ShadowCounter } from '../rights/shadow.ts'
import { pluginSeals } from '../secrets/sealing.ts'
import { openTenantDirectory, type TenantDirectory } from '../tenancy/directory.ts'
import { endedTenants } from '../tenancy/ended-tenants.ts'
import { PROBER } from '../tenancy/reach.ts'
import { openRemoval } from '../tenancy/removal.ts'
import { TokenMemory } from '../tenancy/token-memory.ts'
import { VERSION } from '../version.ts'
import type { Adapters } from './adapters.ts'
import { describeGateway } from './describe.ts'
import { installed } from './installed.ts'
import { kernelRecords } from './kernel-records.ts'
import { lifecycle } from './lifecycle.ts'
import { preparePlugins } from './prepare.ts'
import { processServices } from './process-services.ts'
import { wire } from './wire.ts'

export interface BootOptions {
  /** The built-in plugins. `settings.plugins` switches them off and names others. */
  readonly plugins: readonly Plugin[]
  readonly settings: Settings
  readonly log: Logger
  /** Environment for the `env` settings of plugins. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Services in the kernel's name that the caller of `boot` supplies. */
  readonly services?: readonly (readonly [id: string, service: unknown])[]
  /** Validates results against output schemas. Default false; meant for tests. */
  readonly checkOutputs?: boolean
}

/** Members that tests may use beyond the gateway's own interface. */
export interface BootedGateway extends Gateway {
  /** Not started yet. The server starts the jobs once it can be reached. */
  readonly jobs: JobRunner
  readonly bus: EventBus
  readonly tenants: TenantAdmin
}

/**
 * Boots plugins into a running gateway: load → plan → config → storage → start → wire. Until its start a plugin is data. The
 * offers of a plugin are wired after its start, so a plugin that failed to start offers nothing. A failure closes everything
 * that was opened, stops everything that was started, and names the plugin and the phase.
 */
export async function boot(adapters: Adapters, options: BootOptions): Promise<BootedGateway> {
  const { settings, log, clock = systemClock, env = process.env } = options
  const startedAt = clock.now()
  const { plugins, requires, loaded, configs } = await preparePlugins(options.plugins, settings, env, adapters.parts)
  // Start order may move a provider forward; callers see plugins in the listed order.
  let running = loaded.plugins
  let offered = inventory(running)
  let report: readonly PluginReport[] = []

  const closing: (() => void | Promise<void>)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closing.reverse()) await close()
  }

  const refsOfMetrics = plugins.flatMap((plugin) => plugin.metrics)
  const warn = (message: string, fields: object): void => log.warn(fields, message)
  const metrics = new Metrics({ refs: refsOfMetrics, tenantLabel: settings.metricsTenants, now: clock.now, warn })
  closing.push(measureProcess(metrics))

  try {
    const lock = await adapters.lockDataDir(settings.dataDir, startedAt)
    closing.push(() => lock.release())
    let tenantsHere: TenantDirectory | undefined
    const isEnded = (tenantId: string): boolean => tenantsHere?.statusOf(tenantId) === 'deleted'
    const store = await adapters.openStore({ settings, clock, log, metrics, isEnded })
    closing.push(() => store.close())
    const refs = [...kernelRecords(adapters.parts), migrationMarks, ...plugins.flatMap((plugin) => plugin.collections)]
    const prepared = await store.prepare(refs)
    if (prepared.unused.length > 0) log.info({ unused: prepared.unused }, 'indexes that are no longer declared were left in place')
    await refuseUnfinishedCopy(store)
    // A second process on a copy of the folder is refused before it writes to the trails.
    const nodes = await adapters.openNodes({ store, log, dataDir: settings.dataDir })
    closing.push(nodes.stop)
    const audit = adapters.openAudit({ dir: join(settings.dataDir, 'audit'), metrics, store, log, isEnded })
    closing.push(() => audit.close())
    const refusals = adapters.countRefusals(audit, clock, (error) => log.error({ err: error }, 'the audit trail could not be written'))
    closing.push(() => refusals.close())
    const endAbandoned = async (alive: readonly string[]): Promise<void> => {
      for (const part of adapters.parts) await part.endAbandoned?.({ store, clock, alive })
    }
    nodes.presence.onNodesLost(endAbandoned)
    await endAbandoned(await nodes.presence.alive())
    const admission = new Admission(settings.maxInFlight)
    metrics.onLook(() => metrics.of(inFlight).set(admission.inFlight))
    const rates = new RateLimits(clock, { caller: settings.callsPerMinutePerKey, tenant: settings.callsPerMinutePerTenant })
    const shadow = new ShadowCounter(settings.rbacEnforce, clock)
    // Contributions of plugins are known only after wiring.
    let sessionOf: AccessParts['sessionOf'] = async () => undefined
    const directory = await openTenantDirectory(store, clock, nodes.relay)
    tenantsHere = directory
    const opened = await adapters.openAccess({
      settings,
      store,
      clock,
      log,
      audit,
      refusals,
      relay: nodes.relay,
      directory,
      sessionOf: (tenantId, ticket, kind) => sessionOf(tenantId, ticket, kind),
    })
    closing.push(opened.close)
    const tenantsAndKeys: TenantAdmin = { ...directory, ...opened.keys }
    const forgetCallers = (tenantId: string): void => {
      opened.forget(tenantId)
      shadow.forget(tenantId)
    }
    const ended = endedTenants({ directory, forgetCallers, relay: nodes.relay, audit, isShared: store.shared, log })
    let probes: () => readonly HealthProbe[] = () => []
    const health = adapters.health({ store, audit, admission, settings, log, probes: () => probes() })
    const kernelServices = new Map<string, unknown>([
      ...(options.services ?? []),
      [gatewayInfo.id, describeGateway({ offered: () => offered, plugins: () => running }, startedAt, settings, log)],
      [gatewayHealth.id, health],
      [gatewayMetrics.id, metrics],
      ...metrics.services(),
      [gatewayNodes.id, { list: () => nodes.presence.list() } satisfies GatewayNodes],
      [installedPlugins.id, installed(loaded, configs, () => report)],
      [tenantAdmin.id, tenantsAndKeys],
      [shadowReport.id, shadow],
      [
        auditSearch.id,
        {
          search: (tenantId, query) => audit.search(tenantId, query),
          verify: (tenantId, cursor) => audit.verify(tenantId, cursor),
        } satisfies AuditSearch,
      ],
      [
        storeFiles.id,
        {
          scrubAtNextStart: () => store.scrubAtNextStart(),
          withdrawAnswers: (tenantId, texts) => withdrawAnswers(store, tenantId, texts),
        } satisfies StoreFiles,
      ],
      [tenantRemoval.id, openRemoval({ store, audit, clock, removed: ended.removed }, refs)],
    ])
    const services = processServices(configs, kernelServices)
    const life = lifecycle({ plugins, requires, services, log, settings })
    const started = await life.start()
    closing.push(() => life.stop())
    closing.push(ended.close)
    report = [...started, ...loaded.off.map(({ id }): PluginReport => ({ id, outcome: 'off', milliseconds: 0, tools: 0 }))]
    const failed = new Set(started.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id))
    const runs = ({ id }: Plugin): boolean => !failed.has(id)
    running = loaded.plugins.filter(runs)
    offered = inventory(running)
    const { calls, bus, jobs, waits, collect, tenantTools, hasCalled, closeObservers } = wire({
      plugins: plugins.filter(runs),
      inventory: offered,
      store,
      audit,
      refusals,
      relay: nodes.relay,
      jobRunner: adapters.jobRunner,
      configs,
      processServices: services.made,
      directory,
      seals: pluginSeals(settings),
      clock,
      log,
      shadow,
      scheduler: new FairScheduler(),
      admission,
      metrics,
      rates,
      settings,
      checkOutputs: options.checkOutputs ?? false,
    })
    metrics.onLook(() => metrics.of(waitingCalls).set(waits.size))
    probes = () => collect(healthProbe, PROBER)
    let readings: readonly MetricReading[] | undefined
    metrics.readings = () => (readings ??= collect(metricReading, PROBER))
    const firstOf = async (tenantId: string, ticket: string, kind: Ticket) => {
      for (const check of collect<Pick<TokenCheck, 'check'>>(kind === 'token' ? tokenCheck : sessionCheck, { ...PROBER, tenantId })) {
        const found = await check.check(ticket)
        if (found) return found
      }
      return undefined
    }
    const tokens = new TokenMemory({
      store,
      relay: nodes.relay,
      clock,
      stands: opened.keyStands,
      collections: collect(tokenCheck, PROBER).flatMap(({ dependsOn = [] }) => dependsOn),
    })
    sessionOf = (tenantId, ticket, kind) =>
      kind === 'token' ? tokens.of(tenantId, ticket, () => firstOf(tenantId, ticket, kind)) : firstOf(tenantId, ticket, kind)
    ended.start({ memories: () => collect(tenantCache, PROBER), outside: () => collect(externalData, PROBER) })
    nodes.start()

    const inTime = (work: Promise<unknown>, what: string, limitMs = settings.stopTimeoutMs): Promise<unknown> =>
      withTimeLimit(work, limitMs, what).catch((error: unknown) => log.warn(String(error)))
    let stopped: Promise<void> | undefined
    async function stop(runningMs?: number): Promise<void> {
      waits.close()
      // Jobs stop first: a call that a job is about to make would be refused and its purpose lost.
      const running = jobs.stop().then(() => calls.drain())
      await inTime(running, 'running jobs and calls', runningMs)
      await inTime(bus.drain(), 'listeners')
      await inTime(closeObservers(), 'observers of calls')
      await closeAll()
    }

    return {
      version: VERSION,
      startedAt,
      settings,
      clock,
      log,
      store,
      relay: nodes.relay,
      access: opened.access,
      health,
      audit,
      metrics,
      admission,
      rates,
      onTenantBlocked: directory.onBlocked,
      isTenantActive: (tenantId) => (directory.statusOf(tenantId) ?? 'active') === 'active',
      hasTenant: (tenantId) => directory.statusOf(tenantId) !== undefined || hasCalled(tenantId),
      inventory: offered,
      tenantTools,
      report,
      jobs,
      bus,
      tenants: tenantsAndKeys,
      invoke: calls.invoke,
      readResource: calls.readResource,
      renderPrompt: calls.renderPrompt,
      complete: calls.complete,
      subscribe: (event, listener) => bus.subscribe(event.id, listener as (payload: unknown, tenantId: string) => void),
      collect,
      endWaits: () => waits.close(),
      stop: (runningMs) => (stopped ??= stop(runningMs)),
    }
  } catch (error) {
    await Promise.allSettled([closeAll()])
    throw error
  }
}
