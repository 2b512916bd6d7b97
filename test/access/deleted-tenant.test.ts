import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import tenantsPlugin from '@gateway/plugin-tenants'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { tenants } from '../../kernel/core/src/tenancy/collections.ts'
import { KERNEL_TENANT } from '../../kernel/storage/src/kernel-tenant.ts'
import { openSqlite } from '../../kernel/storage-sqlite/src/index.ts'

const ADMIN = 'the-admin-token-of-the-tests'
const SECRET = 'a-session-secret-of-some-length-0123456789'
const clock = testClock()

function session(tenantId: string): string {
  const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${base64({ alg: 'HS256' })}.${base64({ sub: 'ann', tenantId, role: 'owner', exp: clock.now() / 1000 + 60 })}`
  return `${body}.${createHmac('sha256', SECRET).update(body).digest('base64url')}`
}

describe('a deleted tenant', () => {
  let dataDir: string
  let gateway: TestGateway
  let apiKey: string
  let record: object
  const admin = (method: string, path: string, body?: object) =>
    gateway.inject({ method, url: `/api/tenants${path}`, headers: { 'x-admin-token': ADMIN }, ...(body && { body }) })

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-deleted-'))
    const options = { plugins: [tenantsPlugin], clock, dataDir, env: { ADMIN_API_TOKEN: ADMIN, GATEWAY_JWT_SECRET: SECRET } }
    gateway = await startTestGateway(options)
    apiKey = (await admin('POST', '', { name: 'Acme', tenantId: 'acme' })).json().apiKey
    await gateway.stop()
    // Writes the tombstone that the purges of a later version leave.
    const store = await openSqlite({ dataDir, clock, log: { warn() {} } })
    await store.prepare([tenants])
    await store.collection<{ tenantId: string; status: string }>(tenants, KERNEL_TENANT).updateOne('acme', { set: { status: 'deleted' } })
    await store.close()
    gateway = await startTestGateway(options)
    record = (await admin('GET', '/acme')).json()
  })
  after(async () => {
    await gateway.stop()
    await rm(dataDir, { recursive: true })
  })

  it('is shown as deleted', async () => {
    assert.equal((record as { tenant: { status: string } }).tenant.status, 'deleted')
    assert.deepEqual((await admin('GET', '')).json().tenants, [(record as { tenant: object }).tenant])
  })

  it('has no callers: its keys and sessions are refused', async () => {
    for (const [headers, refusal] of [
      [{ 'x-api-key': apiKey }, [403, 'TENANT_SUSPENDED']],
      [{ authorization: `Bearer ${session('acme')}` }, [401, 'UNAUTHORIZED']],
      [{ cookie: `svc_token=${session('acme')}` }, [401, 'UNAUTHORIZED']],
    ] as const) {
      const response = await gateway.inject({ method: 'GET', url: '/api/auth/whoami', headers: { ...headers } })
      assert.deepEqual([response.status, response.json().code], refusal)
      if (refusal[0] === 403) assert.equal(response.json().error, 'Tenant acme is deleted.')
    }
  })

  it('is refused by tenant_suspend and tenant_reactivate', async () => {
    for (const tool of ['tenant_suspend', 'tenant_reactivate']) {
      await assert.rejects(gateway.call(tool, { targetTenantId: 'acme' }), {
        code: 'CONFLICT',
        status: 409,
        message: 'Tenant acme is deleted.',
      })
    }
  })

  it('takes no change, gets no key, and its id is not given again', async () => {
    for (const [method, path, body] of [
      ['PATCH', '/acme', { plan: 'team' }],
      ['PATCH', '/acme', {}],
      ['POST', '/acme/suspend', {}],
      ['POST', '/acme/reactivate', {}],
      ['POST', '/acme/erasure', {}],
      ['POST', '/acme/cancel', {}],
      ['POST', '/acme/keys', { role: 'viewer' }],
      ['POST', '/acme/rotate-key', {}],
      ['POST', '', { name: 'Acme again', tenantId: 'acme' }],
    ] as const) {
      const response = await admin(method, path, body)
      assert.deepEqual([response.status, response.json().code], [409, 'CONFLICT'], `${method} ${path}`)
    }
    assert.deepEqual((await admin('GET', '/acme')).json(), record)
  })
})
