import outgoing from '@gateway/plugin-outgoing'
import { closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import { type BudgetAdvice, type ModelRequest, modelErrors, models, type PlannedSpend, type Spend, spendGuard } from '../src/api.ts'
import providers from '../src/index.ts'
import type { WireName } from './stand-in.ts'

export type { TestGateway }

/** Streamed parts of the last call. */
export const deltas: { text: string; attempt: number }[] = []

const askModel = defineTool({
  name: 'ask_model',
  description: 'Ask a model, for tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ request: Type.Record(Type.String(), Type.Unknown()) }, closed),
  output: Type.Record(Type.String(), Type.Unknown()),
  errors: modelErrors,
  uses: { models },
  async handle({ request }, { models }) {
    deltas.length = 0
    const asked = {
      messages: [{ role: 'user', content: 'Hi' }],
      onDelta: (text: string, attempt: number) => deltas.push({ text, attempt }),
      ...request,
    }
    return { ...(await models.complete(asked as unknown as ModelRequest)) }
  },
})
const asking = definePlugin({ id: 'asking', sdk: '^1.0.0', description: 'For tests.', tools: [askModel] })

export interface ProviderConfig {
  readonly wire?: WireName
  readonly baseUrl: string
  readonly [more: string]: unknown
}

export const provider = (baseUrl: string, more: object = {}) => ({
  wire: 'openai' as const,
  baseUrl,
  apiKey: 'key-that-is-secret',
  models: { standard: 'model-s', premium: 'model-p' },
  ...more,
})

/** A gateway with these providers. Pauses before another attempt are real, and short. */
export function start(
  named: Readonly<Record<string, object>>,
  settings: object = {},
  { plugins = [], ...options }: Partial<TestGatewayOptions> = {},
): Promise<TestGateway> {
  const config = { providers: { providers: named, ...settings } }
  return startTestGateway({ plugins: [outgoing, providers, asking, ...plugins], config, ...options })
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export const ask = (gateway: TestGateway, request: object = {}, options = {}): Promise<any> =>
  gateway.call('ask_model', { request }, options)

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export async function health(gateway: TestGateway, name: string): Promise<any> {
  return (await gateway.call('provider_health', { provider: name })).providers[0]
}

/** A family that keeps budgets and records what it was asked. */
export function guard({ advice, refuse }: { advice?: BudgetAdvice; refuse?: (planned: PlannedSpend) => Error | undefined } = {}) {
  const planned: PlannedSpend[] = []
  const settled: Spend[] = []
  const released: string[] = []
  const plugin = definePlugin({
    id: 'test-budgets',
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [
      contribute(spendGuard, {
        create: () => ({
          advise: async () => advice ?? { downgrade: false },
          async reserve(one) {
            const refusal = refuse?.(one)
            if (refusal) throw refusal
            planned.push(one)
            return {
              settle: async (spend) => void settled.push(spend),
              release: async () => void released.push(one.callId),
            }
          },
        }),
      }),
    ],
  })
  return { plugin, planned, settled, released }
}

/** Resolves once `holds` is true, however long the machine takes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
