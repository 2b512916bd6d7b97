import { lacksProgram, serve } from '../kernel/storage-mongodb/test/mongodb-server.ts'
import { freePort } from '../test/support/ports.ts'
import type { Figures, Step } from './load.ts'
import { medians, type Spread, spread } from './median.ts'
import type { Plan } from './plan.ts'
import { load, secrets, startGateway } from './processes.ts'

const CONNECTIONS = 32
const CALLS = 3_000
/** Calls of a turn on MongoDB, where the server is the limit. */
const CALLS_ON_MONGODB = 600
/** Pairs of turns in a round: a shared machine's speed changes by the second. */
const TURNS = 6

export interface TokenFigures {
  readonly key: Figures
  readonly token: Figures
  /** Rate with a token, relative to the rate with a key in the turn beside it. */
  readonly ratio: Spread
  /** Calls in a second of the service's CPU time, likewise: other load on the machine does not change it. */
  readonly cpuRatio: Spread
}

/** Measures on the embedded store, and on MongoDB where a server is installed. */
export async function measureTokens(plan: Pick<Plan, 'rounds' | 'folder'>): Promise<Readonly<Record<string, TokenFigures>>> {
  const embedded = await measureOn(plan, CALLS, {})
  if (lacksProgram() !== undefined) return { SQLite: embedded }
  const server = await serve(await freePort(), plan.folder(), ['--cache-size', '256M'])
  try {
    const settings = { MONGODB_URL: `${server.url}gateway`, GATEWAY_MONGODB_TIMEOUT_MS: '60000' }
    return { SQLite: embedded, MongoDB: await measureOn(plan, CALLS_ON_MONGODB, settings) }
  } finally {
    await server.kill()
  }
}

/** Measures calls with an OAuth access token, in turn with calls with the API key that the token was issued for. */
async function measureOn(
  { rounds, folder }: Pick<Plan, 'rounds' | 'folder'>,
  count: number,
  store: Readonly<Record<string, string>>,
): Promise<TokenFigures> {
  const gateway = await startGateway(folder(), { settings: { GATEWAY_PUBLIC_URL: 'http://127.0.0.1', ...store } })
  try {
    const headers = await credentials(gateway.port)
    const step = (of: 'key' | 'token', count: number): Step => ({
      path: '/api/tools/tasks_list',
      body: { limit: 10 },
      headers: headers[of],
      expect: '"tasks"',
      count,
      name: 'calls',
    })
    const calls = async (of: 'key' | 'token'): Promise<Figures & { readonly cpuMs: number }> => {
      const before = gateway.cpu()
      const { calls } = await load({ port: gateway.port, connections: CONNECTIONS, steps: [step(of, count)] })
      if (calls === undefined) throw new Error('no call was measured')
      return { ...calls, cpuMs: gateway.cpu() - before }
    }
    for (const of of ['key', 'token'] as const) await calls(of)
    const figures = { key: [] as Awaited<ReturnType<typeof calls>>[], token: [] as Awaited<ReturnType<typeof calls>>[] }
    for (let turn = 0; turn < rounds * TURNS; turn += 1)
      for (const of of turn % 2 === 0 ? (['key', 'token'] as const) : (['token', 'key'] as const)) figures[of].push(await calls(of))
    const ratios = figures.token.map(({ perSecond }, n) => perSecond / (figures.key[n]?.perSecond ?? Number.NaN))
    const cpuRatios = figures.token.map(({ cpuMs }, n) => (figures.key[n]?.cpuMs ?? Number.NaN) / cpuMs)
    return { key: medians(figures.key), token: medians(figures.token), ratio: spread(ratios), cpuRatio: spread(cpuRatios) }
  } finally {
    await gateway.stop()
  }
}

/** A tenant with some tasks, its key, and a token that is issued for the key. */
async function credentials(port: number): Promise<Readonly<Record<'key' | 'token', Readonly<Record<string, string>>>>> {
  const url = `http://127.0.0.1:${port}`
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { readonly apiKey: string; readonly keyId: string }
  }
  const admin = { 'x-admin-token': secrets.admin }
  await post('/api/tenants', { name: 'bench', tenantId: 'bench', plan: 'scale' }, admin)
  const { apiKey, keyId } = await post('/api/tenants/bench/keys', { role: 'member' }, admin)
  for (let n = 0; n < 20; n++) await post('/api/tools/tasks_create', { repo: 'bench', title: `Task ${n}` }, { 'x-api-key': apiKey })
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: keyId, client_secret: apiKey })
  const answer = (await (await fetch(`${url}/oauth/token`, { method: 'POST', body: form })).json()) as { readonly access_token: string }
  return { key: { 'x-api-key': apiKey }, token: { authorization: `Bearer ${answer.access_token}` } }
}

export function tokensMarkdown(figures: Readonly<Record<string, TokenFigures>>): string {
  return Object.entries(figures)
    .map(([store, measured]) => sectionOf(store, measured))
    .join('\n\n')
}

function sectionOf(store: string, { key, token, ratio, cpuRatio }: TokenFigures): string {
  const row = (name: string, { perSecond, p50, p99 }: Figures): string =>
    `| ${name} | ${Math.round(perSecond)} | ${p50.toFixed(2)} | ${p99.toFixed(2)} |`
  return [
    `## Calls with an OAuth token on ${store}, ${CONNECTIONS} connections`,
    '',
    '| tasks_list | per second | p50 ms | p99 ms |',
    '| --- | --- | --- | --- |',
    row('with an API key', key),
    row('with an access token', token),
    '',
    `Token / key, turn by turn: ${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}).`,
    `Calls for each second of CPU time, token / key: ${cpuRatio.median.toFixed(2)} (${cpuRatio.least.toFixed(2)} to ${cpuRatio.most.toFixed(2)}).`,
  ].join('\n')
}
