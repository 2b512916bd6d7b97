import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { pythonEnvironment } from '../scripts/python-environment.mjs'
import type { Figures, Step } from './load.ts'
import { medians } from './median.ts'
import { startWithModels } from './models.ts'
import type { Plan } from './plan.ts'
import { load, type Server, secrets, startLiteLlm, startServer } from './processes.ts'

const CONNECTIONS = 64
const WARM_UP_CALLS = 400
const LITELLM = 'litellm[proxy]==1.108.7'

/** Figures of one target: as fast as it can, and with a provider that takes 150 to 350 ms. */
interface Target {
  readonly fast: Figures
  readonly slow: Figures
}
export interface EndpointFigures {
  readonly direct: Target
  readonly gateway: Target
  /** The reason why it was not measured, as a text. */
  readonly liteLlm: Target | string
  /** Load average when the measurement began: other programs slow all targets down. */
  readonly loadAverage: number
}

/** Measures streamed chat completions at a provider, through the model endpoint, and through the proxy of LiteLLM. */
export async function measureEndpoint({ seconds, rounds, folder }: Pick<Plan, 'seconds' | 'rounds' | 'folder'>): Promise<EndpointFigures> {
  const loadAverage = loadavg()[0] ?? Number.NaN
  const python = pythonEnvironment('litellm-1', [LITELLM])
  const provider = await startServer('model')
  const at = { fast: `http://127.0.0.1:${provider.port}`, slow: `http://127.0.0.1:${provider.port}/slow` }
  const under = { seconds, rounds }
  try {
    const direct = await measured(under, '/chat/completions', async (speed) => ({
      port: provider.port,
      prefix: speed === 'slow' ? '/slow' : '',
    }))
    const gateway = await measured(under, '/v1/chat/completions', async (speed) => started(await startWithModels(folder(), at[speed])))
    const liteLlm =
      'reason' in python
        ? python.reason
        : await measured(under, '/v1/chat/completions', async (speed) => ({
            ...started(await liteLlmAt(python.bin, folder(), at[speed])),
            headers: { authorization: `Bearer ${secrets.liteLlm}` },
          })).catch((error: Error) => error.message.slice(0, 300))
    return { direct, gateway, liteLlm, loadAverage }
  } finally {
    await provider.stop()
  }
}

interface Started {
  readonly port: number
  readonly prefix: string
  readonly headers?: Readonly<Record<string, string>>
  stop?(): Promise<void>
}
const started = (server: Server): Started => ({ port: server.port, prefix: '', stop: () => server.stop() })

async function measured(
  { seconds, rounds }: Pick<Plan, 'seconds' | 'rounds'>,
  path: string,
  start: (speed: keyof Target) => Promise<Started>,
): Promise<Target> {
  const at = async (speed: keyof Target): Promise<Figures> => {
    const target = await start(speed)
    const body = { model: 'm', messages: [{ role: 'user', content: 'Say something.' }], max_tokens: 100, stream: true }
    const step: Step = { path: target.prefix + path, body, headers: target.headers ?? {}, expect: 'Here you are.' }
    try {
      await load({ port: target.port, connections: CONNECTIONS, steps: [{ ...step, count: WARM_UP_CALLS }] })
      const found: Figures[] = []
      for (let round = 0; round < rounds; round++) {
        const { calls } = await load({ port: target.port, connections: CONNECTIONS, steps: [{ ...step, seconds, name: 'calls' }] })
        if (calls) found.push(calls)
      }
      return medians(found)
    } finally {
      await target.stop?.()
    }
  }
  return { fast: await at('fast'), slow: await at('slow') }
}

function liteLlmAt(bin: string, folder: string, baseUrl: string): Promise<Server> {
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'litellm.yaml')
  const params = { model: 'openai/m', api_base: baseUrl, api_key: 'none' }
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ model_list: [{ model_name: 'm', litellm_params: params }] }))
  return startLiteLlm(bin, config)
}

export function endpointMarkdown({ direct, gateway, liteLlm, loadAverage }: EndpointFigures): string {
  const ms = (value: number): string => value.toFixed(2)
  const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0)
  const row = (name: string, { fast, slow }: Target): string =>
    `| ${name} | ${rate(fast.perSecond)} | ${ms(slow.p50)} | ${ms(slow.p99)} | ${ms(slow.p50 - direct.slow.p50)} | ${ms(slow.p99 - direct.slow.p99)} |`
  const compared = typeof liteLlm === 'string' ? `LiteLLM was not measured: ${liteLlm}.` : ratioOf(gateway, liteLlm)
  return [
    `Streamed chat completions over ${CONNECTIONS} connections, in one process each: calls per second of a provider that answers at once, and latencies of one that takes 250 ± 100 ms, in the same mixed order for every target. The gateway records each call in its budgets. Load average at the start: ${loadAverage.toFixed(1)}.`,
    '',
    '| | per second | p50 ms | p99 ms | added p50 ms | added p99 ms |',
    '| --- | --- | --- | --- | --- | --- |',
    row('direct', direct),
    row('model endpoint', gateway),
    ...(typeof liteLlm === 'string' ? [] : [row('LiteLLM', liteLlm)]),
    '',
    compared,
  ].join('\n')
}

const ratioOf = (gateway: Target, liteLlm: Target): string =>
  `Calls per second, model endpoint / LiteLLM: ${(gateway.fast.perSecond / liteLlm.fast.perSecond).toFixed(1)}.`
