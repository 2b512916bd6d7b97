import assert from 'node:assert/strict'
import { type InjectResponse, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import tenants from '../src/index.ts'

export const ADMIN = 'the-admin-token-of-the-tests'

export const start = (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [tenants], env: { ADMIN_API_TOKEN: ADMIN }, ...options })

export const admin = (gateway: TestGateway, method: string, url: string, body?: object): Promise<InjectResponse> =>
  gateway.inject({ method, url, headers: { 'x-admin-token': ADMIN }, ...(body && { body }) })

export async function create(gateway: TestGateway, tenant: object = {}) {
  const response = await admin(gateway, 'POST', '/api/tenants', { name: 'Acme', tenantId: 'acme', ...tenant })
  assert.equal(response.status, 201, response.body)
  return response.json() as { tenant: Record<string, unknown>; apiKey: string }
}

export async function get(gateway: TestGateway, tenantId = 'acme'): Promise<Record<string, unknown>> {
  const response = await admin(gateway, 'GET', `/api/tenants/${tenantId}`)
  assert.equal(response.status, 200, response.body)
  return response.json().tenant
}

/** The caller behind a key: `member of acme`, or the code of its refusal. */
export async function whoIs(gateway: TestGateway, apiKey: string): Promise<string> {
  const answer = (await gateway.inject({ method: 'GET', url: '/api/auth/whoami', headers: { 'x-api-key': apiKey } })).json()
  return answer.code ?? `${answer.role} of ${answer.tenantId}`
}

/** Fails unless the answer is BAD_REQUEST and names the field. */
export function assertNamesField(response: InjectResponse, field: string): void {
  const { code, details } = response.json()
  assert.deepEqual([response.status, code, details?.field], [400, 'BAD_REQUEST', field], response.body)
}

export function assertRefused(response: InjectResponse, status: number, code: string): void {
  assert.deepEqual([response.status, response.json().code], [status, code], response.body)
}
