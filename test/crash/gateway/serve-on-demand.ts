import { boot } from '@gateway/defaults'
import { serve } from '@gateway/http'
import type { Adapters, BootOptions } from '@gateway/kernel'
import type { Plugin } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import { Blocks } from './blocks.ts'
import type { FromGateway, Memory, ToGateway } from './spawn.ts'

type Env = Readonly<Record<string, string>>

const tell = (message: FromGateway): void => void process.send?.(message)

type Options = Pick<BootOptions, 'clock'> & Partial<Pick<Adapters, 'openStore'>>

/**
 * The gateway in its own process, for tests that kill or overload it. Everything is loaded before the first message asks for a
 * start, so that a spare process can wait warm. `optionsFor` returns replacements for its defaults: a clock, a store.
 */
export function serveOnDemand(plugins: readonly Plugin[], optionsFor: (env: Env) => Options = () => ({})): void {
  const blocks = new Blocks()
  let stop = async (): Promise<void> => {}
  process.on('message', (message: ToGateway) => {
    if ('start' in message) void start(message.start)
    else if ('stop' in message) void stop().then(() => process.exit())
    else if ('measure' in message) tell({ memory: memory() })
    else if (message.watch === 'begin') {
      blocks.begin()
      tell({ watching: true })
    } else tell({ longestBlock: blocks.end() })
  })
  process.on('disconnect', () => process.exit())

  async function start(env: Env): Promise<void> {
    const settings = loadSettings({ env, cwd: env.GATEWAY_DATA_DIR ?? process.cwd() })
    const { openStore, ...options } = optionsFor(env)
    const gateway = await boot({ plugins, settings, log: pino({ level: 'error' }), env, ...options }, openStore && { openStore })
    const { url, close } = await serve(gateway)
    gateway.jobs.start()
    stop = async () => {
      await close()
      await gateway.stop()
    }
    tell({ url })
  }

  tell({ ready: true })
}

function memory(): Memory {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss, sockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length }
}
