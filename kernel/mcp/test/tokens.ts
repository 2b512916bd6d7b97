import { createHmac } from 'node:crypto'
import type { TestGateway } from '@gateway/testing'

/** Value for `GATEWAY_JWT_SECRET`. */
export const SESSION_SECRET = 'a-session-secret-of-some-length-0123456789'

/** Creates tenants, since sessions need existing ones. */
export async function addTenants(gateway: TestGateway, ...ids: string[]): Promise<void> {
  for (const tenantId of ids) {
    await gateway.tenants.get(tenantId).catch(() => gateway.tenants.create({ name: tenantId, plan: 'free', tenantId }))
  }
}

/** Returns the headers of a user of a tenant, valid in every test's time if no end is given (epoch seconds). */
export function userOf(tenantId: string, sub = 'ann', exp = 4_000_000_000): Record<string, string> {
  const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${base64({ alg: 'HS256' })}.${base64({ sub, tenantId, role: 'owner', exp })}`
  return { authorization: `Bearer ${body}.${createHmac('sha256', SESSION_SECRET).update(body).digest('base64url')}` }
}
