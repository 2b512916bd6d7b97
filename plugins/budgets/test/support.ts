import {
  BudgetExceeded,
  type CoveredSpend,
  type Payer,
  type PlannedSpend,
  type Reservation,
  type Spend,
  spendGuard,
} from '@gateway/plugin-providers/api'
import { closed, definePlugin, defineTool, type Principal, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import budgets from '../src/index.ts'

export type { TestGateway }

const part = {
  capability: 'work',
  effect: 'write',
  description: 'For tests.',
  input: Type.Object({ json: Type.String() }, closed),
  output: Type.Object({}),
  uses: { guards: spendGuard },
  errors: [BudgetExceeded],
} as const
const underWay = new Map<string, Reservation | undefined>()

/** Plays the model side of a call: asks before it, reports after it. */
export const spender = definePlugin({
  id: 'spender',
  sdk: '^1.0.0',
  description: 'Spends money, for tests.',
  tools: [
    defineTool({
      ...part,
      name: 'spend_advise',
      handle: async ({ json }, { guards }) => ({ ...(await guards[0]?.advise(JSON.parse(json) as Payer)) }),
    }),
    defineTool({
      ...part,
      name: 'spend_reserve',
      async handle({ json }, { guards }) {
        const { planned } = JSON.parse(json) as Call
        underWay.set(planned.callId, await guards[0]?.reserve(planned))
        return {}
      },
    }),
    defineTool({
      ...part,
      name: 'spend_settle',
      async handle({ json }) {
        const { spend } = JSON.parse(json) as Call
        await underWay.get(spend.callId)?.settle(spend)
        return {}
      },
    }),
    defineTool({
      ...part,
      name: 'spend_check',
      async handle({ json }) {
        const { planned, costUsd } = JSON.parse(json) as Call & { costUsd: number }
        await underWay.get(planned.callId)?.check?.(costUsd)
        return {}
      },
    }),
    defineTool({
      ...part,
      name: 'spend_cover',
      async handle({ json }) {
        const { planned, covered } = JSON.parse(json) as Call & { covered: CoveredSpend }
        await underWay.get(planned.callId)?.cover?.(covered)
        return {}
      },
    }),
    defineTool({
      ...part,
      name: 'spend_release',
      async handle({ json }) {
        await underWay.get((JSON.parse(json) as Call).planned.callId)?.release()
        return {}
      },
    }),
  ],
})

export const start = (config: object = {}, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [budgets, spender], config: { budgets: { ...config } }, ...options })

interface Call {
  readonly planned: PlannedSpend
  readonly spend: Spend
}
type Wanted = Partial<Spend> & { readonly maxCostUsd?: number }
let calls = 0

/** A planned call with its final cost. */
export function callOf({ maxCostUsd = 0.01, ...wanted }: Wanted = {}): Call {
  const named = {
    callId: `call-${process.pid}-${++calls}`,
    channel: 'mcp',
    member: 'ada',
    provider: 'api',
    model: 'big',
    tier: 'standard',
  } as const
  const used = { inputTokens: 100, outputTokens: 10, estimated: false, priced: true, costUsd: 0.001, outcome: 'ok' } as const
  const covered = { inputTokens: 10, outputTokens: 10, costUsd: maxCostUsd / 10, priced: true }
  const planned = { ...named, ...wanted, inputTokens: 10, maxOutputTokens: 10, maxCostUsd, covered }
  return { planned, spend: { ...named, ...used, ...wanted } }
}

export const step = (
  gateway: TestGateway,
  name: 'advise' | 'reserve' | 'settle' | 'check' | 'cover' | 'release',
  what: object,
  as?: Partial<Principal>,
) => gateway.call(`spend_${name}`, { json: JSON.stringify(what) }, as && { as })

export async function pay(gateway: TestGateway, wanted: Wanted = {}, as?: Partial<Principal>): Promise<void> {
  const call = callOf(wanted)
  await step(gateway, 'reserve', call, as)
  await step(gateway, 'settle', call, as)
}
