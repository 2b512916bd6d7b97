import { nameExit } from '@gateway/loader'
import type { LifecycleContext, Plugin } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import type { Settings } from '@gateway/settings'
import type { Logger } from 'pino'
import type { PluginReport } from '../gateway.ts'
import { pluginLog } from '../registry/context.ts'
import { BootError, blame } from './faults.ts'
import type { ProcessServices } from './process-services.ts'

export interface Lifecycle {
  /**
   * Creates the process services of each plugin and starts it, in order. The first failure stops the plugins started before it,
   * in reverse, and throws a BootError. With `onStartFailure: continue` the plugin is left out together with its dependents, and
   * the report says so.
   */
  start(): Promise<readonly PluginReport[]>
  /** Stops the started plugins in reverse, each within its time limit. A failure is logged, and the next plugin is stopped. */
  stop(): Promise<void>
}

export interface LifecycleParts {
  readonly plugins: readonly Plugin[]
  readonly requires: ReadonlyMap<string, ReadonlySet<string>>
  readonly services: ProcessServices
  readonly log: Logger
  readonly settings: Pick<Settings, 'onStartFailure' | 'startTimeoutMs' | 'stopTimeoutMs'>
}

export function lifecycle({ plugins, requires, services, log, settings }: LifecycleParts): Lifecycle {
  const running: Plugin[] = []
  const failed = new Set<string>()
  const signals = new Map(plugins.map(({ id }) => [id, new AbortController()]))
  const contextOf = ({ id }: Plugin): LifecycleContext => ({
    log: pluginLog(log.child({ plugin: id })),
    signal: (signals.get(id) as AbortController).signal,
  })

  async function startOne(plugin: Plugin): Promise<PluginReport> {
    const began = performance.now()
    const report = (outcome: 'started' | 'failed', tools: number): PluginReport => ({
      id: plugin.id,
      outcome,
      milliseconds: Math.round(performance.now() - began),
      tools,
    })
    try {
      const missing = [...(requires.get(plugin.id) ?? [])].find((id) => failed.has(id))
      if (missing !== undefined) throw new Error(`it needs plugin '${missing}', which did not start`)
      services.make(plugin)
      const { start } = plugin
      if (start) {
        const begin = () => withTimeLimit(start.call(plugin, contextOf(plugin)), settings.startTimeoutMs, 'start')
        await nameExit(`the start of plugin '${plugin.id}'`, begin)
      }
    } catch (error) {
      // Tells a start that hangs that it has been given up.
      signals.get(plugin.id)?.abort()
      await services.dispose(plugin).catch((failure: unknown) => log.error(blame(plugin.id, 'stop', failure)))
      services.drop(plugin)
      const fault = blame(plugin.id, 'start', error)
      if (settings.onStartFailure === 'stop') {
        await stop()
        throw new BootError([`${fault}; put that right, switch the plugin off, or set GATEWAY_ON_START_FAILURE=continue`])
      }
      log.error(`${fault}; the gateway runs without it`)
      failed.add(plugin.id)
      return { ...report('failed', 0), error: error instanceof Error ? error.message : String(error) }
    }
    running.push(plugin)
    return report('started', plugin.tools.length)
  }

  async function stop(): Promise<void> {
    for (const controller of signals.values()) controller.abort()
    for (const plugin of running.splice(0).reverse()) {
      try {
        if (plugin.stop) await withTimeLimit(plugin.stop(contextOf(plugin)), settings.stopTimeoutMs, 'stop')
        await withTimeLimit(services.dispose(plugin), settings.stopTimeoutMs, 'stop')
      } catch (error) {
        log.error(blame(plugin.id, 'stop', error))
      }
    }
  }

  return {
    async start() {
      const reports: PluginReport[] = []
      for (const plugin of plugins) reports.push(await startOne(plugin))
      return reports
    },
    stop,
  }
}
