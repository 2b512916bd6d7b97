import assert from 'node:assert/strict'
import { test } from 'node:test'
import entitlements from '@gateway/plugin-entitlements'
import { startTestGateway } from '@gateway/testing'
import tenants from '../src/index.ts'

test('a tenant makes keys up to the seats of its plan, and the operator may add more', async () => {
  await using gateway = await startTestGateway({ plugins: [tenants, entitlements] })
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live' } as never)
  const make = async () => gateway.inject({ method: 'POST', url: '/api/keys', headers: { 'x-api-key': apiKey }, body: { label: 'agent' } })
  const second = await make()
  assert.equal(second.status, 201)
  const third = (await make()) as { status: number; json(): { code: string; details: { limit: string; allowed: number } } }
  assert.deepEqual([third.status, third.json().code], [403, 'PLAN_LIMIT_REACHED'])
  assert.deepEqual([third.json().details.limit, third.json().details.allowed], ['seats', 2])
  const seats = async () =>
    (await gateway.inject({ method: 'GET', url: '/api/entitlements', headers: { 'x-api-key': apiKey } })).json().limits.seats
  assert.deepEqual(await seats(), { limit: 2, used: 2, remaining: 0 })
  await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' } as never)
  await gateway.tenants.revokeKey('acme', second.json().keyId)
  assert.equal((await seats()).used, 2)
  assert.equal((await make()).status, 403)
  for (const { keyId, role } of await gateway.tenants.listKeys('acme'))
    if (role === 'member') await gateway.tenants.revokeKey('acme', keyId)
  assert.equal((await make()).status, 201)
})

test('keys that are made at once keep to the seats of the plan', async () => {
  await using gateway = await startTestGateway({ plugins: [tenants, entitlements] })
  await gateway.tenants.create({ name: 'Acme', plan: 'solo', tenantId: 'acme' })
  const { apiKey } = await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live' } as never)
  const make = () => gateway.inject({ method: 'POST', url: '/api/keys', headers: { 'x-api-key': apiKey }, body: { label: 'agent' } })
  const made = await Promise.all(Array.from({ length: 8 }, make))
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 403, 403, 403, 403, 403, 403])
  assert.equal((await gateway.tenants.listKeys('acme')).length, 3)
})
