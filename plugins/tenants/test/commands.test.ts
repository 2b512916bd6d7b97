import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCommand } from '@gateway/cli'
import entitlements from '@gateway/plugin-entitlements'
import type { TestGateway } from '@gateway/testing'
import tenants from '../src/index.ts'
import { ADMIN, admin, start } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start({ plugins: [tenants, entitlements], listen: true })
})
after(() => gateway.stop())

const run = (argv: readonly string[], env: Record<string, string> = {}) =>
  runCommand({ plugins: async () => [tenants], argv, env: { HOME: '/nonexistent', GATEWAY_URL: gateway.url, ...env } })
const operator = (...argv: string[]) => run(argv, { ADMIN_API_TOKEN: ADMIN })

test('tenant create shows the key once; list, suspend, reactivate and rotate-key do as they say', async () => {
  const created = await operator('tenant', 'create', 'Acme Ltd', '--plan', 'team', '--id', 'acme')
  assert.equal(created.code, 0, created.stderr)
  assert.match(created.stdout, /^Tenant acme \(Acme Ltd, team\) is made\.\nIts key, shown this once:\n/)
  const key = { GATEWAY_API_KEY: /^gw_live_\w+$/m.exec(created.stdout)?.[0] ?? '' }
  assert.match((await operator('tenant', 'list')).stdout, /^acme +Acme Ltd +team +active/m)
  assert.match((await operator('tenant', 'suspend', 'acme', '--reason', 'unpaid')).stdout, /^Tenant acme is suspended: /)
  const refused = await run(['whoami'], key)
  assert.deepEqual([refused.code, refused.stderr], [2, 'gateway: Tenant acme is suspended. (TENANT_SUSPENDED)\n'])
  assert.equal((await operator('tenant', 'reactivate', 'acme')).stdout, 'Tenant acme is active.\n')
  assert.equal((await run(['whoami', '--json'], key)).json().tenantId, 'acme')
  const rotated = await operator('tenant', 'rotate-key', 'acme', '--grace', '0', '--json')
  assert.match(rotated.json().apiKey, /^gw_live_/)
  assert.equal((await run(['whoami'], key)).code, 2, 'the key before it is no longer valid')
  const again = await operator('rotate-keys', 'tenant', 'acme', '--environment', 'test')
  assert.match(again.stdout, /^The previous keys of the same role stay valid until \S+\.\nIts key, shown this once:\ngw_test_\w+$/m)
})

test('tenant list prints the tenants of all pages', async () => {
  const ids = Array.from({ length: 101 }, (_, at) => `many-${String(at).padStart(3, '0')}`)
  for (const tenantId of ids) await gateway.tenants.create({ name: tenantId, plan: 'free', tenantId })
  const { count, tenants: listed } = (await operator('tenant', 'list', '--json')).json()
  const named = listed.map(({ tenantId }: { tenantId: string }) => tenantId)
  assert.deepEqual([count, named.filter((id: string) => id.startsWith('many-'))], [named.length, ids])
})

test('with --json each prints what the service answered', async () => {
  const { tenant, apiKey } = (await operator('tenant', 'create', 'Json', '--id', 'json', '--json')).json()
  assert.deepEqual([tenant.tenantId, apiKey.startsWith('gw_live_')], ['json', true])
  assert.ok((await operator('tenant', 'list', '--json')).json().tenants.length >= 1)
  assert.equal((await operator('tenant', 'suspend', 'json', '--json')).json().tenant.status, 'suspended')
})

test('key create, list and revoke: of the own tenant, and with --tenant of any for the operator', async () => {
  const { apiKey: owner } = (await operator('tenant', 'create', 'Delta', '--id', 'delta', '--json')).json()
  const own = (...argv: string[]) => run(['key', ...argv], { GATEWAY_API_KEY: owner })
  const created = await own('create', '--label', 'crawler', '--role', 'viewer', '--expires', '2026-03-01T00:00:00Z')
  assert.equal(created.code, 0, created.stderr)
  const key = /^gw_live_\w+$/m.exec(created.stdout)?.[0] ?? ''
  assert.match((await own('list')).stdout, /crawler +viewer +live +2026-\S+ +never +2026-03-01T00:00:00.000Z$/m)
  assert.deepEqual((await operator('key', 'list', '--tenant', 'delta', '--json')).json(), (await own('list', '--json')).json())
  const keyId = key.split('_')[2] as string
  assert.match((await own('revoke', keyId)).stdout, /\(crawler\) is void/)
  assert.equal((await run(['whoami'], { GATEWAY_API_KEY: key })).code, 2)
  const { keyId: second } = (await operator('key', 'create', '--tenant', 'delta', '--json')).json()
  assert.equal((await operator('key', 'revoke', second, '--tenant', 'delta')).code, 0)
  for (const argv of [['explode'], ['revoke'], ['list', 'x']]) assert.equal((await own(...argv)).code, 64)
})

test('whoami shows tenant, plan, role and quota', async () => {
  const { stdout } = await run(['whoami'])
  for (const line of [/^tenant +local$/m, /^plan +\w+$/m, /^role +operator$/m, /^quota +repos \?\/any/m]) assert.match(stdout, line)
})

test('the missing operator’s token, a wrong action and a wrong number are named', async () => {
  assert.match((await run(['tenant', 'list'])).stderr, /ADMIN_API_TOKEN/)
  for (const argv of [
    ['tenant', 'explode'],
    ['tenant', 'suspend'],
    ['tenant', 'rotate-key', 'acme', '--grace', 'soon'],
    ['rotate-keys', 'acme'],
  ])
    assert.equal((await operator(...argv)).code, 64, argv.join(' '))
  assert.equal((await operator('tenant', 'suspend', 'nobody')).code, 2)
})

test('rbac shadow shows who would have been refused what, to the operator only', async () => {
  assert.match((await run(['rbac', 'shadow'])).stdout, /^Roles are not enforced/)
  await operator('tenant', 'create', 'Gamma', '--id', 'gamma')
  const { apiKey } = (await admin(gateway, 'POST', '/api/tenants/gamma/keys', { role: 'viewer' })).json()
  const viewer = { GATEWAY_API_KEY: apiKey }
  assert.equal((await run(['key', 'list'], viewer)).code, 0)
  assert.match((await run(['rbac', 'shadow'])).stdout, /^1 +gamma +key:\w+ +viewer +keys\.list +members \(admin\)/m)
  assert.equal((await run(['rbac', 'shadow'], viewer)).code, 2)
  assert.equal((await run(['rbac'])).code, 64)
})
