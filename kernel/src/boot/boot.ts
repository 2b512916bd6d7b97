import { join } from 'node:path'
import { type GatewayInfo, gatewayInfo, type Plugin, shadowReport, type TenantAdmin, tenantAdmin } from '@gateway/sdk'
import type { Logger } from 'pino'
import { pluginSeals } from '../access/sealing.ts'
import { ShadowCounter } from '../access/shadow.ts'
import { type Clock, systemClock } from '../clock.ts'
import { openAuditFiles } from '../events/audit-files.ts'
import type { EventBus } from '../events/bus.ts'
import type { Gateway, Inventory, PluginReport } from '../gateway.ts'
import type { JobRunner } from '../jobs/runner.ts'
import { endLeftTasks } from '../mcp/stateless/task-records.ts'
import { openNodes } from '../nodes/nodes.ts'
import { inventory } from '../registry/inventory.ts'
import type { Settings } from '../settings/settings.ts'
import { migrationMarks, refuseUnfinishedCopy } from '../storage/migration/mark.ts'
import { openStore } from '../storage/open.ts'
import { lockDataDir } from '../storage/sqlite/lock.ts'
import { kernelRecords } from '../tenancy/kernel-records.ts'
import { VERSION } from '../version.ts'
import { lifecycle } from './lifecycle.ts'
import { openAccess } from './open-access.ts'
import { preparePlugins } from './prepare.ts'
import { processServices } from './process-services.ts'
import { withTimeLimit } from './time-limit.ts'
import { wire } from './wire.ts'

export interface BootOptions {
  /** The built-in ones; `settings.plugins` switches them off, and names others. */
  readonly plugins: readonly Plugin[]
  readonly settings: Settings
  readonly log: Logger
  /** Where plugins’ `env` settings are read. Default: the process’s. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Check results against output schemas. Default false: it is for tests. */
  readonly checkOutputs?: boolean
  /** Default: the store the settings name. */
  readonly openStore?: typeof openStore
}

/** What a test may reach beyond the gateway’s own interface. */
export interface BootedGateway extends Gateway {
  /** Not started: who serves the gateway starts them, when it can be reached. */
  readonly jobs: JobRunner
  readonly bus: EventBus
  readonly tenants: TenantAdmin
}

/**
 * Plugins into a running gateway: load → plan → config → storage → start → wire. Until its start a plugin is
 * data. What a plugin offers is wired after its start, so that one that did not start offers nothing.
 * A failure closes what was opened, stops what was started, and names the plugin and the phase.
 */
export async function boot(options: BootOptions): Promise<BootedGateway> {
  const { settings, log, clock = systemClock, env = process.env } = options
  const startedAt = clock.now()
  const { plugins, requires, loaded, configs } = await preparePlugins(options.plugins, settings, env)
  // Start order may move a provider forward; what callers see keeps the order in which plugins are listed.
  let offered = inventory(loaded.plugins)

  const closing: (() => void | Promise<void>)[] = []
  /** In reverse of the order in which they were opened. */
  const closeAll = async (): Promise<void> => {
    for (const close of closing.reverse()) await close()
  }

  try {
    const lock = await lockDataDir(settings.dataDir, startedAt)
    closing.push(() => lock.release())
    const store = await (options.openStore ?? openStore)({ settings, clock, log })
    closing.push(() => store.close())
    const audit = openAuditFiles({ dir: join(settings.dataDir, 'audit') })
    closing.push(() => audit.close())
    const prepared = await store.prepare([...kernelRecords, migrationMarks, ...plugins.flatMap((plugin) => plugin.collections)])
    if (prepared.unused.length > 0) log.info({ unused: prepared.unused }, 'indexes that are no longer declared were left in place')
    await refuseUnfinishedCopy(store)
    const nodes = await openNodes({ store, log })
    closing.push(nodes.stop)
    const endLeft = (alive: readonly string[]): Promise<void> => endLeftTasks(store, clock, alive)
    nodes.presence.onGone(endLeft)
    await endLeft(await nodes.presence.alive())
    const shadow = new ShadowCounter(settings.rbacEnforce, clock)
    const opened = await openAccess({ settings, store, clock, log, audit, relay: nodes.relay })
    const kernelServices = new Map<string, unknown>([
      [gatewayInfo.id, describeGateway(() => offered, startedAt, settings.root)],
      [tenantAdmin.id, opened.tenantAdmin],
      [shadowReport.id, shadow],
    ])
    const services = processServices(configs, kernelServices)
    const life = lifecycle({ plugins, requires, services, log, settings })
    const started = await life.start()
    closing.push(() => life.stop())
    const failed = new Set(started.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id))
    const runs = ({ id }: Plugin): boolean => !failed.has(id)
    offered = inventory(loaded.plugins.filter(runs))
    const { calls, bus, jobs, collect, tenantTools } = wire({
      plugins: plugins.filter(runs),
      inventory: offered,
      store,
      audit,
      relay: nodes.relay,
      configs,
      processServices: services.made,
      directory: opened.directory,
      seals: pluginSeals(settings),
      clock,
      log,
      shadow,
      checkOutputs: options.checkOutputs ?? false,
    })
    nodes.start()

    const ended = (work: Promise<void>, what: string): Promise<void> =>
      withTimeLimit(work, settings.stopTimeoutMs, what).catch((error: unknown) => log.warn(String(error)))
    let stopped: Promise<void> | undefined
    async function stop(): Promise<void> {
      // Jobs first: a call that a job is about to make would be refused, and what it is for would be lost.
      const running = jobs.stop().then(() => calls.drain())
      await ended(running, 'running jobs and calls')
      await ended(bus.drain(), 'listeners')
      await closeAll()
    }

    return {
      version: VERSION,
      startedAt,
      settings,
      clock,
      log,
      store,
      audit,
      relay: nodes.relay,
      access: opened.access,
      onTenantBlocked: opened.directory.onBlocked,
      isTenantActive: (tenantId) => opened.directory.statusOf(tenantId) === 'active',
      inventory: offered,
      tenantTools,
      report: [...started, ...loaded.off.map(({ id }): PluginReport => ({ id, outcome: 'off', milliseconds: 0, tools: 0 }))],
      jobs,
      bus,
      tenants: opened.tenantAdmin,
      invoke: calls.invoke,
      readResource: calls.readResource,
      renderPrompt: calls.renderPrompt,
      complete: calls.complete,
      hear: (event, listener) => bus.hear(event.id, listener as (payload: unknown, tenantId: string) => void),
      collect,
      stop: () => (stopped ??= stop()),
    }
  } catch (error) {
    await Promise.allSettled([closeAll()])
    throw error
  }
}

function describeGateway(offered: () => Inventory, startedAt: number, root: string): GatewayInfo {
  return {
    version: VERSION,
    startedAt: new Date(startedAt),
    root,
    tools: () =>
      [...offered().tools.values()].map(({ plugin, item }) => ({
        plugin,
        name: item.name,
        capability: item.capability,
        effect: item.effect,
      })),
  }
}
