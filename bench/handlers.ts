import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOSTILE_CALLS, HOSTILE_SCHEMAS } from '../plugins/plugin-tools/test/hostile.ts'
import type { Figures } from './load.ts'
import { medians } from './median.ts'
import type { TurnJob } from './one-by-one.ts'
import type { Plan } from './plan.ts'
import { load, run, secrets, startServer, startTenantTools } from './processes.ts'
import type { Turn } from './turn.ts'

/** Concurrent calls of each tool that does not work; together 64. */
const EACH = 16
const NOISE = ['hang', 'drip', 'huge', 'garbage'] as const
const CONNECTIONS = 4
/** Only the limits of the tools are under test. */
const AMPLE = { callsPerTenant: 1_000, callsPerOrigin: 1_000, connections: 1_000 }
const WARM_UP = 0.5
/** The machine stalls too: the shortest of several tries is the cost of the work. */
const TRIES = 5

const QUIET = { echo: '"ok":true', tasks_next: '"task":null' } as const
type Quiet = keyof typeof QUIET

/** A tool called for `seconds`, and the longest time for which it blocked the service. */
export interface Calm {
  readonly tool: Quiet
  readonly alone: Figures & { readonly stallMs: number }
  readonly beside: Figures & { readonly stallMs: number }
}
export interface Stall {
  readonly ms: number
  /** The schema or call that took longest. */
  readonly of: string
}
export interface HandlerFigures {
  /** Medians, ms: the handler called directly, through a server that only forwards, and through the gateway; `tasks_next` of the gateway. */
  readonly turns: { readonly direct: number; readonly forwarded: number; readonly proxied: number; readonly own: number }
  /** Medians, ms, of calls that begin in the gateway's process: of the tool, and of its handler directly. */
  readonly within: { readonly called: number; readonly direct: number }
  readonly calm: readonly Calm[]
  readonly stalls: { readonly none: Stall; readonly register: Stall; readonly call: Stall }
}

/** Measures the cost of a call of a tenant's own tool, and the cost of hostile tenants to another one. */
export async function measureHandlers({ seconds, rounds, folder }: Pick<Plan, 'seconds' | 'rounds' | 'folder'>): Promise<HandlerFigures> {
  const dataDir = folder()
  // Admits all the noise: cooldowns after failures, and refusals, would reduce it.
  const limits = { callsPerTool: EACH, callsPerTenant: EACH * NOISE.length, failureThreshold: 1_000, cooldownSeconds: 1 }
  writeFileSync(join(dataDir, 'gateway.config.json'), JSON.stringify({ plugins: { 'plugin-tools': limits, outgoing: AMPLE } }))
  // Separate processes, so that the cost of the noise to the gateway, and not to a handler, is measured.
  const [handler, bad] = await Promise.all([startServer('handler'), startServer('handler')])
  const [gateway, forward] = await Promise.all([
    startTenantTools(dataDir, handler.port, bad.port),
    startServer('forward', String(handler.port)),
  ])
  const post = async (path: string, body: object, headers: object = {}): Promise<unknown> => {
    const url = `http://127.0.0.1:${gateway.port}${path}`
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return answer.json()
  }
  const keyOf = async (tenantId: string): Promise<{ 'x-api-key': string }> => {
    const { apiKey } = (await post('/api/tenants', { name: tenantId, tenantId }, { 'x-admin-token': secrets.admin })) as { apiKey: string }
    return { 'x-api-key': apiKey }
  }
  const stall = async (): Promise<number> => ((await post('/api/tools/bench_stall', {})) as { ms: number }).ms

  const turns = async (headers: Turn['headers'] = {}) => {
    const body = { text: 'one two three' }
    const proxied = { port: gateway.port, path: '/api/tools/echo', headers, body, expect: QUIET.echo }
    const direct = { ...proxied, port: handler.port, path: '/echo', body: { tool: 'echo', arguments: body, tenantId: 'quiet' } }
    const requests: TurnJob['requests'] = {
      direct,
      forwarded: { ...direct, port: forward.port },
      own: { ...proxied, path: '/api/tools/tasks_next', body: { repo: 'quiet' }, expect: QUIET.tasks_next },
      proxied,
    }
    return JSON.parse(await run('./one-by-one.ts', [], JSON.stringify({ seconds, requests }))) as HandlerFigures['turns']
  }

  const called = async (tool: Quiet, headers: Readonly<Record<string, string>>): Promise<Calm['alone']> => {
    const request = { path: `/api/tools/${tool}`, body: tool === 'echo' ? {} : { repo: 'quiet' }, headers, expect: QUIET[tool] }
    await load({ port: gateway.port, connections: CONNECTIONS, steps: [{ ...request, seconds: WARM_UP }] })
    await stall()
    const { calls } = await load({ port: gateway.port, connections: CONNECTIONS, steps: [{ ...request, seconds, name: 'calls' }] })
    return { ...(calls as Figures), stallMs: await stall() }
  }

  /** Calls the tools that do not work until stopped. */
  const noise = (headers: Readonly<Record<string, string>>): (() => Promise<unknown>) => {
    let on = true
    const body = JSON.stringify({})
    const calling = NOISE.flatMap((tool) =>
      Array.from({ length: EACH }, async () => {
        const url = `http://127.0.0.1:${gateway.port}/api/tools/${tool}`
        while (on) {
          const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
          await answer.arrayBuffer()
        }
      }),
    )
    return () => {
      on = false
      return Promise.all(calling)
    }
  }

  /** Returns the piece of work that blocked the service longest. */
  const longest = async (work: Readonly<Record<string, () => Promise<unknown>>>): Promise<Stall> => {
    let worst: Stall = { ms: -1, of: '' }
    for (const [of, once] of Object.entries(work)) {
      const tries: number[] = []
      for (let i = 0; i < TRIES; i++) {
        await stall()
        await once()
        tries.push(await stall())
      }
      const ms = Math.min(...tries)
      if (ms > worst.ms) worst = { ms, of }
    }
    return worst
  }

  try {
    const [quiet, noisy] = [await keyOf('quiet'), await keyOf('noisy')]
    const turned: HandlerFigures['turns'][] = []
    const within: HandlerFigures['within'][] = []
    const calm: Record<Quiet, Omit<Calm, 'tool'>[]> = { echo: [], tasks_next: [] }
    // Runs before anything samples the service's clock.
    for (let round = 0; round < rounds; round++) {
      turned.push(await turns(quiet))
      within.push((await post('/api/tools/bench_within', { seconds })) as HandlerFigures['within'])
    }
    for (let round = 0; round < rounds; round++) {
      for (const tool of Object.keys(QUIET) as Quiet[]) {
        const alone = await called(tool, quiet)
        const end = noise(noisy)
        calm[tool].push({ alone, beside: await called(tool, quiet) })
        await end()
      }
    }
    const handlerUrl = `http://127.0.0.1:${handler.port}/echo`
    const register = (name: string, schema: object) => post('/api/plugin-tools', { name, schema, handlerUrl })
    const calls = Object.entries(HOSTILE_CALLS)
    const schemas = [...calls.map(([of, { schema }]) => [of, schema] as const), ...Object.entries(HOSTILE_SCHEMAS)]
    return {
      turns: medians(turned),
      within: medians(within),
      calm: (Object.keys(QUIET) as Quiet[]).map((tool) => {
        const of = (which: 'alone' | 'beside') => medians(calm[tool].map((one) => one[which]))
        return { tool, alone: of('alone'), beside: of('beside') }
      }),
      stalls: {
        none: await longest({ '`tasks_next`': () => post('/api/tools/tasks_next', {}) }),
        register: await longest(Object.fromEntries(schemas.map(([of, schema], i) => [of, () => register(`hostile_${i % 20}`, schema)]))),
        call: await (async () => {
          for (const [i, [, { schema }]] of calls.entries()) await register(`hostile_${i}`, schema)
          return longest(Object.fromEntries(calls.map(([of, { args }], i) => [of, () => post(`/api/tools/hostile_${i}`, args)])))
        })(),
      },
    }
  } finally {
    await gateway.stop()
    await Promise.all([handler.stop(), bad.stop(), forward.stop()])
  }
}
