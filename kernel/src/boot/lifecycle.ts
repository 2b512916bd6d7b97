import type { LifecycleContext, Plugin } from '@gateway/sdk'
import type { Logger } from 'pino'
import type { PluginReport } from '../gateway.ts'
import { pluginLog } from '../registry/context.ts'
import { BootError, blame } from './faults.ts'
import { withTimeLimit } from './time-limit.ts'

const START_LIMIT_MS = 10_000

export interface Lifecycle {
  /** Start in order; the first that fails stops those before it, in reverse, and throws a BootError. */
  start(): Promise<readonly PluginReport[]>
  /** Stop what was started, in reverse, each within its time limit; a failure is logged and the next one is stopped. */
  stop(): Promise<void>
}

/** `plugins` in start order. */
export function lifecycle(plugins: readonly Plugin[], log: Logger, stopLimitMs: number): Lifecycle {
  const running: Plugin[] = []
  const stopping = new AbortController()
  const contextOf = (plugin: Plugin): LifecycleContext => ({ log: pluginLog(log.child({ plugin: plugin.id })), signal: stopping.signal })

  async function startOne(plugin: Plugin): Promise<PluginReport> {
    const began = performance.now()
    try {
      if (plugin.start) await withTimeLimit(plugin.start(contextOf(plugin)), START_LIMIT_MS, 'start')
    } catch (error) {
      await stop()
      throw new BootError([blame(plugin.id, 'start', error)])
    }
    running.push(plugin)
    return { id: plugin.id, outcome: 'started', milliseconds: Math.round(performance.now() - began), tools: plugin.tools.length }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    for (const plugin of running.splice(0).reverse()) {
      try {
        if (plugin.stop) await withTimeLimit(plugin.stop(contextOf(plugin)), stopLimitMs, 'stop')
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
