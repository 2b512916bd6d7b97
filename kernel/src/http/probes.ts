import { type HealthProbe, healthProbe, type Principal, statusFacts } from '@gateway/sdk'
import type { FastifyInstance } from 'fastify'
import { LOCAL_TENANT } from '../access/origin.ts'
import type { Gateway } from '../gateway.ts'
import type { Load } from './load.ts'
import { sendJson } from './reply.ts'

const PROBER: Principal = { id: 'probe', kind: 'system', role: 'system', tenantId: LOCAL_TENANT }

/** A subsystem that does not answer for this long is unwell. */
const MAX_CHECK_MS = 5_000

type Status = 'healthy' | 'degraded' | 'unhealthy'
type Finding = { readonly status: Status; readonly [detail: string]: unknown }
interface Page {
  readonly status: number
  readonly body: object
}

export function addProbes(app: FastifyInstance, gateway: Gateway, load: Load): void {
  // The pages are open, so callers share a check that is under way: asking often must not cost more than asking once.
  const deep = shared(() => deepHealth(gateway, load))
  const status = shared(() => statusPage(gateway))
  app.get('/health', async (_request, reply) => sendJson(reply, 200, JSON.stringify({ status: 'ok', ...(await basics(gateway)) })))
  app.get('/health/deep', async (_request, reply) => {
    const page = await deep()
    return sendJson(reply, page.status, JSON.stringify(page.body))
  })
  app.get('/status', async (_request, reply) => sendJson(reply, 200, JSON.stringify(await status())))
}

async function basics({ clock, startedAt, store }: Gateway): Promise<{ uptime: number; database: string }> {
  const { connected } = await store.health()
  return { uptime: Math.max(0, Math.floor((clock.now() - startedAt) / 1000)), database: connected ? 'connected' : 'disconnected' }
}

/** Healthy and degraded are 200, unhealthy is 503; a check that itself fails says nothing of its subsystem, and is 500. */
async function deepHealth(gateway: Gateway, load: Load): Promise<Page> {
  try {
    const { store, audit } = gateway
    const { connected, ...figures } = await store.health()
    // What the families would look at lies in the store: without it their checks would wait for it, and fail.
    const probes = connected ? gateway.collect(healthProbe, PROBER) : []
    const found = await Promise.all(probes.map(async (probe) => [probe.name, await check(probe)] as const))
    const findings: Record<string, Finding> = {
      ...Object.fromEntries(found),
      database: { ...figures, status: connected ? written(figures.writesFail) : 'unhealthy' },
      audit: { status: written(audit.fault), ...(audit.fault !== undefined && { writesFail: audit.fault }) },
      load: { status: 'healthy', inFlight: load.inFlight, maxInFlight: gateway.settings.maxInFlight },
    }
    const status = worst(Object.values(findings))
    return { status: status === 'unhealthy' ? 503 : 200, body: { ...findings, status } }
  } catch (error) {
    gateway.log.error({ err: error }, 'the health check failed')
    return { status: 500, body: { status: 'unhealthy', error: (error as Error).message } }
  }
}

/** What can be read and not written serves some. */
const written = (fault: string | undefined): Status => (fault === undefined ? 'healthy' : 'degraded')

async function check(probe: HealthProbe): Promise<Finding> {
  const late: Finding = { status: 'unhealthy', error: `no answer within ${MAX_CHECK_MS} ms` }
  try {
    return await within(MAX_CHECK_MS, probe.check(), late)
  } catch (error) {
    throw new Error(`the check of ${probe.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

function worst(findings: readonly Finding[]): Status {
  for (const status of ['unhealthy', 'degraded'] as const) if (findings.some((finding) => finding.status === status)) return status
  return 'healthy'
}

/** What families contribute, then what the kernel knows for itself; a contribution that fails is left out and logged. */
async function statusPage(gateway: Gateway): Promise<object> {
  const known = await basics(gateway)
  const sources = known.database === 'connected' ? gateway.collect(statusFacts, PROBER) : []
  const facts = await Promise.all(
    sources.map(async (read) => {
      try {
        return await within(MAX_CHECK_MS, read(), {})
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

async function within<T>(limitMs: number, work: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
