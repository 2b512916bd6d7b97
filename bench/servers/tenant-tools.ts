/**
 * The built service with tools of two tenants, whose handlers are on this machine: `tenant-tools.ts <port of the quiet one's>
 * <port of the noisy one's>`. Only the local operator may register such handlers, so the operator registers them here, in either
 * tenant. Two more tools report how long the service was blocked, and the duration of a call of the working one within the
 * service.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { boot } from '@gateway/defaults'
import { serve } from '@gateway/http'
import { closed, definePlugin, defineTool, type Principal, Type } from '@gateway/sdk'
import { loadSettings } from '@gateway/settings'
import { standardPlugins } from '@gateway/standard'
import { pino } from 'pino'
import { inTurn } from '../in-turn.ts'
import { turnTaker } from '../turn.ts'

/** The quiet tenant has one working tool; the noisy one has four that do not work. */
const TOOLS = { quiet: ['echo'], noisy: ['hang', 'drip', 'huge', 'garbage'] }
const [quiet, noisy] = process.argv.slice(2)
const PORTS: Readonly<Record<string, string | undefined>> = { quiet, noisy }

const operatorOf = (tenantId: string): Principal => ({ id: 'operator', kind: 'operator', role: 'operator', tenantId })

const delay = monitorEventLoopDelay({ resolution: 1 })
const stall = defineTool({
  name: 'bench_stall',
  description: 'The longest time for which nothing else ran since the last call, which restarts the measurement. Returns {ms}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ ms: Type.Number() }),
  handle: async () => {
    const ms = delay.max / 1e6
    delay.reset()
    delay.enable()
    return { ms }
  },
})
const within = defineTool({
  name: 'bench_within',
  description: 'What `echo` takes when its call begins in this process, and its handler called directly from here. Returns medians, ms.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ seconds: Type.Number() }, closed),
  output: Type.Object({ direct: Type.Number(), called: Type.Number() }),
  handle: ({ seconds }) => {
    const args = { text: 'one two three' }
    const body = { tool: 'echo', arguments: args, tenantId: 'quiet' }
    const called = async (): Promise<void> => {
      const outcome = await gateway.invoke({ name: 'echo', args, principal: operatorOf('quiet'), via: 'rest', requestId: 'bench' })
      if (!outcome.ok) throw new Error(outcome.error.error)
    }
    return inTurn(seconds, { direct: turnTaker({ port: Number(quiet), path: '/echo', body, expect: '"ok":true' }), called })
  },
})
const bench = definePlugin({ id: 'bench', sdk: '^1.0.0', description: 'Tools to measure calls with.', tools: [stall, within] })

const { env } = process
const settings = loadSettings({ env, cwd: process.cwd() })
const gateway = await boot({ plugins: [...standardPlugins, bench], settings, log: pino({ level: 'fatal' }), env })
for (const [tenantId, names] of Object.entries(TOOLS)) {
  const principal = operatorOf(tenantId)
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
