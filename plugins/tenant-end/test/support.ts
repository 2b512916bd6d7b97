import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import plans from '@gateway/plugin-plans'
import tasks from '@gateway/plugin-tasks'
import tenants from '@gateway/plugin-tenants'
import trash from '@gateway/plugin-trash'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export const DAY = 86_400
const ADMIN = 'the-admin-token-of-the-tests'

export const start = ({ plugins = [], ...options }: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [trash, tasks, plans, tenants, plugin, ...plugins], env: { ADMIN_API_TOKEN: ADMIN }, ...options })

export async function ask(gateway: TestGateway, tenantId: string, what: 'erasure' | 'cancel' | 'reactivate'): Promise<void> {
  const url = `/api/tenants/${tenantId}/${what}`
  const { status, body } = await gateway.inject({ method: 'POST', url, headers: { 'x-admin-token': ADMIN } })
  assert.equal(status, 200, body)
}

/** A tenant with a name, a key and some work. */
export async function tenant(gateway: TestGateway, tenantId: string, marker = tenantId): Promise<string> {
  await gateway.tenants.create({ tenantId, name: `Name ${marker}`, plan: 'team' })
  const { apiKey } = await gateway.tenants.issueKey(tenantId, { role: 'owner', environment: 'live' })
  for (let n = 0; n < 5; n += 1) await gateway.call('tasks_create', { repo: 'web', title: `${marker} ${n}` }, { as: { tenantId } })
  return apiKey
}

export const statusOf = async (gateway: TestGateway, tenantId: string) => (await gateway.tenants.get(tenantId)).status

export function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(text) || (statSync(join(folder, name)).isFile() && readFileSync(join(folder, name)).includes(text)))
    .sort()
}

export const proofs = async (gateway: TestGateway) => (await gateway.audit()).filter(({ name }) => name === 'tenant.removed')
