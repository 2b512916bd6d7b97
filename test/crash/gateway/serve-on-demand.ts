import { boot, type Clock, loadSettings, serve } from '@gateway/kernel'
import type { Plugin } from '@gateway/sdk'
import { pino } from 'pino'
import type { FromGateway, Memory, ToGateway } from './spawn.ts'

type Env = Readonly<Record<string, string>>

const tell = (message: FromGateway): void => void process.send?.(message)

/**
 * The gateway in a process of its own, for tests that kill it or wear it out. Everything is loaded before the first
 * message asks for a start, so that a spare process can wait warm. `clockOf` makes the clock the gateway and its store go by.
 */
export function serveOnDemand(plugins: readonly Plugin[], clockOf?: (env: Env) => Clock): void {
  process.on('message', (message: ToGateway) => {
    if ('start' in message) void start(plugins, message.start, clockOf?.(message.start))
    else tell({ memory: memory() })
  })
  process.on('disconnect', () => process.exit())
  tell({ ready: true })
}

async function start(plugins: readonly Plugin[], env: Env, clock: Clock | undefined): Promise<void> {
  const settings = loadSettings({ env, cwd: env.GATEWAY_DATA_DIR ?? process.cwd() })
  const gateway = await boot({ plugins, settings, log: pino({ level: 'error' }), env, ...(clock && { clock }) })
  const { url } = await serve(gateway)
  tell({ url })
}

function memory(): Memory {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss, sockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length }
}
