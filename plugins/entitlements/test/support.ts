import { closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { type Counted, countedUse, entitlements, type Feature, type Monthly, NotEntitled, PlanLimitReached } from '../src/api.ts'
import plugin from '../src/index.ts'

export type { TestGateway }

const tool = {
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ what: Type.String(), amount: Type.Optional(Type.Number({ default: 1 })) }, closed),
  output: Type.Object({}),
  uses: { entitlements },
  errors: [NotEntitled, PlanLimitReached],
} as const
const done = { ok: true }
const oneRepo = { limit: 'repos', used: async () => 1 } as const

const gated = definePlugin({
  id: 'gated',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({
      ...tool,
      name: 'gated_feature',
      handle: async ({ what }, { entitlements }) => entitlements.require(what as Feature).then(() => done),
    }),
    defineTool({
      ...tool,
      name: 'gated_room',
      handle: async ({ what, amount }, { entitlements }) => entitlements.requireRoom(what as Counted, amount).then(() => done),
    }),
    defineTool({
      ...tool,
      name: 'gated_consume',
      handle: async ({ what, amount = 1 }, { entitlements }) => entitlements.consume(what as Monthly, amount).then(() => done),
    }),
  ],
  contributes: [contribute(countedUse, { create: () => oneRepo }), contribute(countedUse, { create: () => oneRepo })],
})

export const start = (config: object = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [plugin, gated], config: { entitlements: { ...config } } })

export async function tenantOn(gateway: TestGateway, plan: 'free' | 'solo' | 'team' | 'scale') {
  const { tenantId } = await gateway.tenants.create({ name: plan, plan, tenantId: `on-${plan}` })
  return { as: { tenantId, kind: 'user', role: 'owner', id: 'ada' } } as const
}
