/**
 * The built service with tools of two tenants, whose handlers are on this machine: `tenant-tools.ts <port of the quiet one's>
 * <port of the noisy one's>`. Only the local operator registers such handlers, so the operator registers them here, in either
 * tenant. A tool more tells for how long the service stood still.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { boot, loadSettings, serve } from '@gateway/kernel'
import { definePlugin, defineTool, type Principal, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { pino } from 'pino'

/** Of the quiet tenant one tool works; of the noisy one four do not. */
const TOOLS = { quiet: ['echo'], noisy: ['hang', 'drip', 'huge', 'garbage'] }
const [quiet, noisy] = process.argv.slice(2)
const PORTS: Readonly<Record<string, string | undefined>> = { quiet, noisy }

const delay = monitorEventLoopDelay({ resolution: 1 })
const stall = defineTool({
  name: 'bench_stall',
  description: 'The longest time for which nothing else ran since the last call, which begins anew. Returns {ms}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ ms: Type.Number() }),
  handle: async () => {
    const ms = delay.max / 1e6
    delay.reset()
    delay.enable()
    return { ms }
  },
})
const bench = definePlugin({ id: 'bench', sdk: '^1.0.0', description: 'A tool to measure calls with.', tools: [stall] })

const { env } = process
const settings = loadSettings({ env, cwd: process.cwd() })
const gateway = await boot({ plugins: [...standardPlugins, bench], settings, log: pino({ level: 'fatal' }), env })
for (const [tenantId, names] of Object.entries(TOOLS)) {
  const principal: Principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId }
  for (const name of names) {
    const args = { name, handlerUrl: `http://127.0.0.1:${PORTS[tenantId]}/${name}`, schema: { type: 'object' }, timeoutMs: 2_000 }
    const outcome = await gateway.invoke({ name: 'plugin_tools_register', args, principal, via: 'rest', requestId: 'bench' })
    if (!outcome.ok) throw new Error(outcome.error.error)
  }
}
const served = await serve(gateway)
gateway.jobs.start()
process.on(
  'SIGTERM',
  () =>
    void served
      .close()
      .then(() => gateway.stop())
      .then(() => process.exit(0)),
)
