import assert from 'node:assert/strict'
import tenants from '@gateway/plugin-tenants'
import { type InjectResponse, startTestGateway, type TestGateway } from '@gateway/testing'
import signIn from '../src/index.ts'

export const ADMIN = 'the-admin-token-of-the-tests'
/** A caller from another machine is not trusted without a credential. */
export const FAR = { 'x-forwarded-for': '10.0.0.1' }
/** Header of a browser for requests of the gateway's own page. */
export const PAGE = { 'sec-fetch-site': 'same-origin' }

export const start = (env: Record<string, string> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [tenants, signIn], env: { ADMIN_API_TOKEN: ADMIN, RBAC_ENFORCE: 'on', ...env } })

export type Headers = Record<string, string>
export const ask = (gateway: TestGateway, method: string, url: string, headers: Headers = {}, body?: object): Promise<InjectResponse> =>
  gateway.inject({ method, url, headers: { ...FAR, ...headers }, ...(body && { body }) })

export const admin = (gateway: TestGateway, method: string, url: string, body?: object): Promise<InjectResponse> =>
  gateway.inject({ method, url, headers: { 'x-admin-token': ADMIN }, ...(body && { body }) })

export async function key(
  gateway: TestGateway,
  { tenantId = 'acme', role = 'owner', label }: { tenantId?: string; role?: string; label?: string } = {},
) {
  await gateway.tenants.create({ name: tenantId, plan: 'team', tenantId }).catch(() => {})
  return (await admin(gateway, 'POST', `/api/tenants/${tenantId}/keys`, { role, ...(label && { label }) })).json() as {
    keyId: string
    apiKey: string
  }
}

export const setCookies = ({ headers }: InjectResponse): readonly string[] => [headers['set-cookie'] ?? []].flat() as string[]

/** Cookies of a browser after these answers. */
export function jar(...responses: readonly InjectResponse[]): Headers {
  const kept = new Map<string, string>()
  for (const cookie of responses.flatMap(setCookies)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (cookie.includes('Max-Age=0')) kept.delete(name)
    else kept.set(name, value)
  }
  return { cookie: [...kept].map(([name, value]) => `${name}=${value}`).join('; '), ...PAGE }
}

/** Signs a browser in with a key; returns its headers from then on. */
export async function browser(gateway: TestGateway, apiKey: string): Promise<Headers> {
  const response = await ask(gateway, 'POST', '/api/sign-in', { 'x-api-key': apiKey })
  assert.equal(response.status, 201, response.body)
  return jar(response)
}

/** The caller: `owner of acme`, or the code of the refusal. */
export async function whoIs(gateway: TestGateway, headers: Headers): Promise<string> {
  const answer = (await ask(gateway, 'GET', '/api/auth/whoami', headers)).json()
  return answer.code ?? `${answer.role} of ${answer.tenantId}`
}

export function assertRefused(response: InjectResponse, status: number, code: string): void {
  assert.deepEqual([response.status, response.json().code], [status, code], response.body)
}
