import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'

export interface Tenant {
  readonly id: string
  readonly apiKey: string
  /** Text that no other tenant has. */
  readonly secret: string
}

/** Creates two tenants, each with its own key and secret. */
export async function twoTenants(url: string, adminToken: string): Promise<readonly [Tenant, Tenant]> {
  const make = async (id: string): Promise<Tenant> => {
    const secret = `${id}-${randomBytes(12).toString('hex')}`
    const { apiKey } = await post(`${url}/api/tenants`, { 'x-admin-token': adminToken }, { name: id, tenantId: id })
    await post(`${url}/api/tools/fuzz_keep`, { 'x-api-key': apiKey }, { secret })
    return { id, apiKey, secret }
  }
  return [await make('one'), await make('two')]
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
async function post(url: string, headers: Record<string, string>, body: object): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  assert.ok(response.ok, `${url}: ${response.status}`)
  return await response.json()
}
