import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimSteps, FEW, QUEUE } from './claims.ts'
import type { Figures } from './load.ts'
import { medians } from './median.ts'
import type { TurnJob } from './one-by-one.ts'
import type { Plan } from './plan.ts'
import { load, run, startGateway, startServer } from './processes.ts'

const HANGING = 200
const CONNECTIONS = 4
const WARM_UP_BATCHES = 4

export interface ModelFigures {
  /** Medians, ms: the provider called directly, and by `agents_invoke` over REST. */
  readonly asked: { readonly direct: number; readonly invoked: number }
  /** `tasks_claim` alone, and during calls to a provider that hangs. */
  readonly claims: { readonly alone: Figures; readonly beside: Figures }
}

/** Measures the gateway's overhead on a call of a model, and the cost of hanging calls to other callers. */
export async function measureModels({ seconds, rounds, folder }: Pick<Plan, 'seconds' | 'rounds' | 'folder'>): Promise<ModelFigures> {
  const provider = await startServer('model')
  try {
    return {
      asked: await measureAsked(provider.port, folder(), { seconds, rounds }),
      claims: await measureHanging(provider.port, folder(), { seconds, rounds }),
    }
  } finally {
    await provider.stop()
  }
}

/** Starts a gateway with one provider, which no limit of the gateway blocks. */
export async function startWithModels(dataDir: string, baseUrl: string) {
  const local = { wire: 'openai', baseUrl, models: { budget: 'm', standard: 'm', premium: 'm', ultra: 'm' } }
  const providers = { providers: { local }, callsAtOnce: HANGING, requestsPerMinute: 1_000_000 }
  const ample = { callsPerTenant: 2 * HANGING, callsPerOrigin: 2 * HANGING, connections: 2 * HANGING }
  writeFileSync(join(dataDir, 'gateway.config.json'), JSON.stringify({ plugins: { providers, outgoing: ample } }))
  return startGateway(dataDir)
}

type Rounds = Pick<Plan, 'seconds' | 'rounds'>

async function measureAsked(port: number, dataDir: string, { seconds, rounds }: Rounds): Promise<ModelFigures['asked']> {
  const gateway = await startWithModels(dataDir, `http://127.0.0.1:${port}`)
  const expect = 'Here you are.'
  const messages = [{ role: 'user', content: 'Say something.' }]
  const requests: TurnJob['requests'] = {
    direct: { port, path: '/chat/completions', body: { model: 'm', messages, stream: true }, expect },
    invoked: { port: gateway.port, path: '/api/tools/agents_invoke', body: { agent: 'planner', message: 'Say something.' }, expect },
  }
  const found: ModelFigures['asked'][] = []
  try {
    for (let round = 0; round < rounds; round++)
      found.push(JSON.parse(await run('./one-by-one.ts', [], JSON.stringify({ seconds, requests }))))
  } finally {
    await gateway.stop()
  }
  return medians(found)
}

async function measureHanging(port: number, dataDir: string, { seconds, rounds }: Rounds): Promise<ModelFigures['claims']> {
  await run('./seed.ts', [dataDir, QUEUE, String(FEW)])
  const gateway = await startWithModels(dataDir, `http://127.0.0.1:${port}/hang`)
  const url = `http://127.0.0.1:${gateway.port}/api/tools/agents_invoke`
  const claims = async (): Promise<Figures> => {
    const steps = claimSteps(Math.max(2, Math.round(2 * seconds)), 'claims')
    return (await load({ port: gateway.port, connections: CONNECTIONS, steps })).claims as Figures
  }
  const hanging = (): (() => Promise<unknown>) => {
    const end = new AbortController()
    const body = JSON.stringify({ agent: 'planner', message: 'Hang.' })
    const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: end.signal }
    const calls = Array.from({ length: HANGING }, () =>
      fetch(url, call).then(
        () => Promise.reject(new Error('a call that was to hang was answered')),
        () => {},
      ),
    )
    return () => {
      end.abort()
      return Promise.all(calls)
    }
  }
  const found: { readonly alone: Figures; readonly beside: Figures }[] = []
  try {
    await load({ port: gateway.port, connections: CONNECTIONS, steps: claimSteps(WARM_UP_BATCHES) })
    for (let round = 0; round < rounds; round++) {
      const alone = await claims()
      const end = hanging()
      found.push({ alone, beside: await claims() })
      await end()
    }
  } finally {
    await gateway.stop()
  }
  return { alone: medians(found.map(({ alone }) => alone)), beside: medians(found.map(({ beside }) => beside)) }
}

export function modelsMarkdown({ asked, claims: { alone, beside } }: ModelFigures): string {
  const ms = (value: number): string => value.toFixed(2)
  return [
    `A provider that answers at once: ${ms(asked.direct)} ms asked directly with undici, ${ms(asked.invoked)} ms by \`agents_invoke\` over REST, medians of calls in turn; the gateway adds ${ms(asked.invoked - asked.direct)} ms.`,
    '',
    `\`tasks_claim\` over ${CONNECTIONS} connections: p99 ${ms(alone.p99)} ms alone, ${ms(beside.p99)} ms while ${HANGING} calls wait for a provider that hangs (${(beside.p99 / alone.p99).toFixed(2)}).`,
  ].join('\n')
}
