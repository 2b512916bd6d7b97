import { type Gateway, PROBER } from '@gateway/kernel'
import { statusFacts } from '@gateway/sdk'
import { shared, within } from '@gateway/sdk/bounds'
import type { FastifyInstance } from 'fastify'
import type { Door } from './door.ts'
import { sendJson } from './reply.ts'

/** Figures that are not there after so long are left out. */
const MAX_FACTS_MS = 5_000

interface Page {
  readonly status: number
  readonly body: object
}

export function addProbes(app: FastifyInstance, gateway: Gateway, door: Pick<Door, 'state'>): void {
  // The page is open, so callers share one that is being made: asking often must not cost more than asking once.
  const status = shared(() => statusPage(gateway))
  app.get('/health', async (_request, reply) => sendJson(reply, 200, JSON.stringify({ status: 'ok', ...(await basics(gateway)) })))
  app.get('/ready', async (_request, reply) => {
    const page = await readiness(gateway, door)
    if (page.status === 503) reply.header('retry-after', '1')
    return sendJson(reply, page.status, JSON.stringify(page.body))
  })
  app.get('/health/deep', async (_request, reply) => {
    const page = await deepHealth(gateway)
    return sendJson(reply, page.status, JSON.stringify(page.body))
  })
  app.get('/status', async (_request, reply) => sendJson(reply, 200, JSON.stringify(await status())))
}

async function basics({ clock, startedAt, store }: Gateway): Promise<{ uptime: number; database: string }> {
  const { connected } = await store.health()
  return { uptime: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)), database: connected ? 'connected' : 'disconnected' }
}

/** Whether to send callers here: not before it has started, nor once it stops, nor while the store takes no writes. */
async function readiness({ store }: Gateway, door: Pick<Door, 'state'>): Promise<Page> {
  if (door.state !== 'open') return { status: 503, body: { status: door.state } }
  const { connected, writesFail } = await store.health()
  if (connected && writesFail === undefined) return { status: 200, body: { status: 'ready' } }
  return { status: 503, body: { status: connected ? 'read-only' : 'disconnected' } }
}

/** Healthy and degraded are 200, unhealthy is 503; a check that itself fails says nothing of its subsystem, and is 500. */
async function deepHealth({ health, log }: Gateway): Promise<Page> {
  try {
    const { status, parts, failed } = await health.check()
    if (failed.length === 0) return { status: status === 'unhealthy' ? 503 : 200, body: { ...parts, status } }
    const faults = failed.map((name) => `the check of ${name} failed: ${parts[name]?.error}`)
    return { status: 500, body: { status: 'unhealthy', error: faults.join('; ') } }
  } catch (error) {
    log.error({ err: error }, 'the health check failed')
    return { status: 500, body: { status: 'unhealthy', error: (error as Error).message } }
  }
}

/** What families contribute, then what the kernel knows for itself; a contribution that fails is left out and logged. */
async function statusPage(gateway: Gateway): Promise<object> {
  const known = await basics(gateway)
  const sources = known.database === 'connected' ? gateway.collect(statusFacts, PROBER) : []
  const facts = await Promise.all(
    sources.map(async (read) => {
      try {
        return await within(MAX_FACTS_MS, read(), {})
      } catch (error) {
        gateway.log.warn({ err: error }, 'status facts left out')
        return {}
      }
    }),
  )
  return {
    llm: 'not_configured',
    agents: 0,
    skills: 0,
    hooks: 0,
    rules: 0,
    sessions: { total: 0, active: 0 },
    ...Object.assign({}, ...facts),
    name: 'gateway',
    version: gateway.version,
    ...known,
    plugins: gateway.report,
  }
}
