import { boot, loadSettings, serve } from '@gateway/kernel'
import { standardPlugins } from '@gateway/standard'
import { pino } from 'pino'
import type { FromGateway, ToGateway } from './spawn.ts'

// The gateway in a process of its own, for tests that kill it or wear it out. Everything is loaded before the first
// message asks for a start, so that a spare process can wait warm.

const tell = (message: FromGateway): void => void process.send?.(message)

process.on('message', (message: ToGateway) => {
  if ('start' in message) void start(message.start)
  else tell({ memory: memory() })
})
process.on('disconnect', () => process.exit())
tell({ ready: true })

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  const settings = loadSettings({ env, cwd: env.GATEWAY_DATA_DIR ?? process.cwd() })
  const gateway = await boot({ plugins: standardPlugins, settings, log: pino({ level: 'error' }), env })
  const { url } = await serve(gateway)
  tell({ url })
}

function memory(): { heapUsed: number; rss: number } {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss }
}
