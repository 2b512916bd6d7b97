import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export async function start(...tenantIds: readonly string[]): Promise<TestGateway> {
  const gateway = await startTestGateway({ plugins: [plugin] })
  for (const tenantId of tenantIds) await gateway.tenants.create({ tenantId, name: tenantId, plan: 'free' })
  return gateway
}

export const as = (tenantId: string, role = 'owner') =>
  ({ as: { tenantId, kind: 'user', role } }) as { as: { tenantId: string; kind: 'user'; role: 'owner' } }
export const mint = async (gateway: TestGateway, args: object = {}): Promise<string> =>
  (await gateway.call('gift-codes.mint', { plan: 'team', ...args })).code
export const redeem = (gateway: TestGateway, code: string, tenantId = 'acme') => gateway.call('gift-codes.redeem', { code }, as(tenantId))
export const planOf = async (gateway: TestGateway, tenantId = 'acme') => (await gateway.tenants.get(tenantId)).plan
