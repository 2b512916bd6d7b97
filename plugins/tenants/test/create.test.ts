import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, assertNamesField, assertRefused, create, get, start, whoIs } from './support.ts'

const post = (gateway: Awaited<ReturnType<typeof start>>, body: object) => admin(gateway, 'POST', '/api/tenants', body)
const count = async (gateway: Awaited<ReturnType<typeof start>>): Promise<number> =>
  (await admin(gateway, 'GET', '/api/tenants')).json().count

test('201 {tenant, apiKey}: the tenant is active, and its key is its owner', async () => {
  await using gateway = await start()
  const response = await post(gateway, { name: 'Acme Ltd', plan: 'team', tenantId: 'acme' })
  assert.equal(response.status, 201)
  const { tenant, apiKey, ...rest } = response.json()
  const at = '2026-01-05T09:00:00.000Z'
  assert.deepEqual(tenant, {
    tenantId: 'acme',
    name: 'Acme Ltd',
    plan: 'team',
    status: 'active',
    legalHold: false,
    createdAt: at,
    updatedAt: at,
  })
  assert.deepEqual(rest, {})
  assert.match(apiKey, /^gw_live_/)
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
  assert.deepEqual(await get(gateway), tenant)
})

test('the role of the first key is a setting', async () => {
  await using gateway = await start({ config: { tenants: { firstKeyRole: 'admin' } } })
  assert.equal(await whoIs(gateway, (await create(gateway)).apiKey), 'admin of acme')
})

test('without a plan it is free, without an id it gets a new one each time', async () => {
  await using gateway = await start()
  const [first, second] = [(await post(gateway, { name: 'Acme' })).json(), (await post(gateway, { name: 'Acme' })).json()]
  assert.equal(first.tenant.plan, 'free')
  assert.match(first.tenant.tenantId, /^t-[a-z0-9]+$/)
  assert.notEqual(first.tenant.tenantId, second.tenant.tenantId)
  assert.equal(await whoIs(gateway, first.apiKey), `owner of ${first.tenant.tenantId}`)
})

test('a taken id is CONFLICT, also of a suspended tenant; the tenant and its key are as before', async () => {
  await using gateway = await start()
  const { tenant, apiKey } = await create(gateway)
  const taken = await post(gateway, { name: 'Intruder', tenantId: 'acme' })
  assertRefused(taken, 409, 'CONFLICT')
  assert.equal(taken.json().details.field, 'tenantId')
  assert.deepEqual(await get(gateway), tenant)
  assert.equal(await whoIs(gateway, apiKey), 'owner of acme')
  await gateway.call('tenant_suspend', { targetTenantId: 'acme' })
  assertRefused(await post(gateway, { name: 'Intruder', tenantId: 'acme' }), 409, 'CONFLICT')
  assert.equal(await count(gateway), 1)
})

test('of ten creations with one id at once, one succeeds', async () => {
  await using gateway = await start()
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => post(gateway, { name: `Acme ${i}`, tenantId: 'acme' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array<number>(9).fill(409)])
  assert.equal(await count(gateway), 1)
})

test('bad input is refused with its field, and nothing is created', async () => {
  await using gateway = await start()
  const bad: [string, object][] = [
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 7 }],
    ['plan', { name: 'Acme', plan: 'gold' }],
    ['status', { name: 'Acme', status: 'active' }],
    ...[' ', 'Acme', 'a b', '../etc', '.hidden', '-dash', '_gateway', 'local', 'a/b', 'a\n', 'ä', 'a'.repeat(65)].map(
      (tenantId): [string, object] => ['tenantId', { name: 'Acme', tenantId }],
    ),
    ['tenantId', { name: 'Acme', tenantId: 7 }],
  ]
  for (const [field, body] of bad) assertNamesField(await post(gateway, body), field)
  assert.equal(await count(gateway), 0)
})

test('ids at the limits of the rule are taken', async () => {
  await using gateway = await start()
  for (const tenantId of ['a', '7', 'a'.repeat(64), 'a.b_c-d', 'locals']) {
    assert.equal(await whoIs(gateway, (await create(gateway, { tenantId })).apiKey), `owner of ${tenantId}`)
  }
})

test('a tenantId argument counts here alone: the other routes take the tenant from their path', async () => {
  await using gateway = await start()
  await create(gateway)
  const { tenant: other } = await create(gateway, { tenantId: 'other' })
  for (const [method, url, body] of [
    ['PATCH', '/api/tenants/acme', { plan: 'scale' }],
    ['POST', '/api/tenants/acme/suspend', {}],
    ['POST', '/api/tenants/acme/erasure', {}],
    ['POST', '/api/tenants/acme/cancel', {}],
    ['POST', '/api/tenants/acme/reactivate', {}],
    ['POST', '/api/tenants/acme/keys', { role: 'viewer' }],
    ['POST', '/api/tenants/acme/rotate-key', {}],
  ] as const) {
    const response = await admin(gateway, method, url, { ...body, tenantId: 'other' })
    assert.ok(response.status < 300, `${method} ${url}: ${response.body}`)
    const { tenant, apiKey } = response.json()
    if (tenant) assert.equal(tenant.tenantId, 'acme')
    else assert.match(await whoIs(gateway, apiKey), / of acme$/)
  }
  assert.deepEqual(await get(gateway, 'other'), other)
})

test('the name of a tenant and the label of a key are one visible line, kept without white space around it', async () => {
  await using gateway = await start()
  const { tenant } = await create(gateway, { name: ' Acme Ltd ' })
  assert.equal(tenant.name, 'Acme Ltd')
  const issue = (label: string) => admin(gateway, 'POST', '/api/tenants/acme/keys', { label })
  for (const text of ['  ', '\n', 'a\nb', 'a\u0000b', 'a\u007f']) {
    assertNamesField(await post(gateway, { name: text }), 'name')
    assertNamesField(await issue(text), 'label')
  }
  assert.equal((await issue(' lead ')).status, 201)
  const { keys } = (await admin(gateway, 'GET', '/api/tenants/acme/keys')).json()
  assert.deepEqual(keys.map(({ label }: { label?: string }) => label ?? '').sort(), ['', 'lead'])
})
