import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, assertNamesField, assertRefused, create, start, whoIs } from './support.ts'

type Gateway = Awaited<ReturnType<typeof start>>
const issue = (gateway: Gateway, body: object, tenantId = 'acme') => admin(gateway, 'POST', `/api/tenants/${tenantId}/keys`, body)
const rotate = (gateway: Gateway, body?: object, tenantId = 'acme') => admin(gateway, 'POST', `/api/tenants/${tenantId}/rotate-key`, body)
const key = async (gateway: Gateway, body: object): Promise<string> => (await issue(gateway, body)).json().apiKey

test('keys: 201 {keyId, apiKey}, a further key of the role and environment asked for', async () => {
  await using gateway = await start()
  const { apiKey: first } = await create(gateway)
  for (const role of ['viewer', 'member', 'admin', 'owner']) {
    for (const environment of ['live', 'test']) {
      const response = await issue(gateway, { role, environment })
      const { apiKey, ...rest } = response.json()
      assert.deepEqual([response.status, rest], [201, { keyId: apiKey.split('_')[2] }])
      assert.ok(apiKey.startsWith(`gw_${environment}_`))
      assert.equal(await whoIs(gateway, apiKey), `${role} of acme`)
    }
  }
  assert.match(await key(gateway, { role: 'viewer' }), /^gw_live_/, 'live, where nothing else is said')
  assert.equal(await whoIs(gateway, first), 'owner of acme', 'the first key stays')
})

test('rotate-key: {keyId, apiKey, graceUntil, goesOn}; keys of the same role and environment end with the grace window, others do not', async () => {
  await using gateway = await start()
  const { apiKey: owner } = await create(gateway)
  const [member, alsoMember] = [await key(gateway, { role: 'member' }), await key(gateway, { role: 'member' })]
  const others = [owner, await key(gateway, { role: 'viewer' }), await key(gateway, { role: 'member', environment: 'test' })]
  const response = await rotate(gateway, { role: 'member', environment: 'live', graceMinutes: 10 })
  const { apiKey, keyId, graceUntil, ...rest } = response.json()
  assert.deepEqual([response.status, graceUntil, rest], [200, '2026-01-05T09:10:00.000Z', { goesOn: [] }])
  assert.ok(apiKey.includes(keyId))
  const valid = async (keys: string[]) => Promise.all(keys.map(async (one) => (await whoIs(gateway, one)).endsWith(' of acme')))
  assert.deepEqual(await valid([member, alsoMember, apiKey, ...others]), [true, true, true, true, true, true])
  gateway.clock.advance(10 * 60)
  assert.deepEqual(await valid([member, alsoMember, apiKey, ...others]), [false, false, true, true, true, true])
  await gateway.restart()
  assert.deepEqual(await valid([member, alsoMember, apiKey, ...others]), [false, false, true, true, true, true])
})

test('without arguments it takes the place of the live key there is, with the gateway’s grace window', async () => {
  await using gateway = await start({ env: { ADMIN_API_TOKEN: 'the-admin-token-of-the-tests', GATEWAY_ROTATION_GRACE_MINUTES: '7' } })
  const { apiKey: first } = await create(gateway)
  const { apiKey, graceUntil } = (await rotate(gateway)).json()
  assert.match(apiKey, /^gw_live_/)
  assert.equal(graceUntil, '2026-01-05T09:07:00.000Z')
  gateway.clock.advance(7 * 60 - 1)
  assert.deepEqual([await whoIs(gateway, first), await whoIs(gateway, apiKey)], ['owner of acme', 'owner of acme'])
  gateway.clock.advance(1)
  assert.deepEqual([await whoIs(gateway, first), await whoIs(gateway, apiKey)], ['UNAUTHORIZED', 'owner of acme'])
  assert.equal(await whoIs(gateway, (await rotate(gateway, { environment: 'test' })).json().apiKey), 'member of acme')
})

test('without a role the keys of the highest role in the environment end, and those of others stay', async () => {
  await using gateway = await start()
  const { apiKey: owner } = await create(gateway)
  await rotate(gateway, { role: 'owner', graceMinutes: 5 })
  const others = [await key(gateway, { role: 'viewer' }), await key(gateway, { role: 'admin', environment: 'test' })]
  const { apiKey } = (await rotate(gateway, { graceMinutes: 10 })).json()
  const who = () => Promise.all([owner, ...others, apiKey].map((one) => whoIs(gateway, one)))
  assert.deepEqual(await who(), ['owner of acme', 'viewer of acme', 'admin of acme', 'owner of acme'])
  gateway.clock.advance(10 * 60)
  assert.deepEqual(await who(), ['UNAUTHORIZED', 'viewer of acme', 'admin of acme', 'owner of acme'])
})

test('without a grace window the old key ends at once', async () => {
  await using gateway = await start()
  const { apiKey: old } = await create(gateway)
  assert.equal(await whoIs(gateway, old), 'owner of acme')
  const { apiKey } = (await rotate(gateway, { role: 'owner', graceMinutes: 0 })).json()
  assert.deepEqual([await whoIs(gateway, old), await whoIs(gateway, apiKey)], ['UNAUTHORIZED', 'owner of acme'])
})

test('a shorter rotation shortens the window of a longer one, a longer one lengthens nothing', async () => {
  await using gateway = await start()
  const { apiKey: first } = await create(gateway)
  await rotate(gateway, { role: 'owner', graceMinutes: 60 })
  await rotate(gateway, { role: 'owner', graceMinutes: 5 })
  await rotate(gateway, { role: 'owner', graceMinutes: 600 })
  gateway.clock.advance(5 * 60 - 1)
  assert.equal(await whoIs(gateway, first), 'owner of acme')
  gateway.clock.advance(1)
  assert.equal(await whoIs(gateway, first), 'UNAUTHORIZED')
})

test('of ten rotations at once all ten keys are good, and the old one ends', async () => {
  await using gateway = await start()
  const { apiKey: old } = await create(gateway)
  const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(gateway, { role: 'owner', graceMinutes: 1 })))
  const keys: string[] = answers.map((answer) => answer.json().apiKey)
  assert.equal(new Set(keys).size, 10)
  for (const one of keys) assert.equal(await whoIs(gateway, one), 'owner of acme')
  gateway.clock.advance(60)
  assert.equal(await whoIs(gateway, old), 'UNAUTHORIZED')
})

test('the local tenant takes keys, for a machine that works beside the local operator', async () => {
  await using gateway = await start()
  const { apiKey } = (await issue(gateway, { role: 'member' }, 'local')).json()
  assert.equal(await whoIs(gateway, apiKey), 'member of local')
})

test('an unknown tenant is 404, bad input 400 with its field; no key is made', async () => {
  await using gateway = await start()
  await create(gateway)
  assertRefused(await issue(gateway, { role: 'member' }, 'nobody'), 404, 'NOT_FOUND')
  assertRefused(await rotate(gateway, {}, 'nobody'), 404, 'NOT_FOUND')
  for (const [field, body] of [
    ['role', { role: 'operator' }],
    ['role', { role: 'system' }],
    ['environment', { role: 'member', environment: 'prod' }],
    ['graceMinutes', { role: 'member', graceMinutes: 1 }],
  ] as const) {
    assertNamesField(await issue(gateway, body), field)
  }
  for (const [field, body] of [
    ['role', { role: 'operator' }],
    ['environment', { environment: ' ' }],
    ['graceMinutes', { graceMinutes: -1 }],
    ['graceMinutes', { graceMinutes: 43_201 }],
    ['graceMinutes', { graceMinutes: 'five' }],
  ] as const) {
    assertNamesField(await rotate(gateway, body), field)
  }
  assertNamesField(await issue(gateway, { role: 'member' }, 'a'.repeat(65)), 'targetTenantId')
})

test('what shows a key needs local trust besides the operator’s token', async () => {
  await using gateway = await start({
    env: { ADMIN_API_TOKEN: 'the-admin-token-of-the-tests', GATEWAY_LOCAL_TOKEN: 'the-local-token-of-the-tests' },
  })
  await create(gateway)
  for (const url of ['/api/tenants', '/api/tenants/acme/keys', '/api/tenants/acme/rotate-key']) {
    const ask = (headers: Record<string, string>) =>
      gateway.inject({ method: 'POST', url, headers, body: url === '/api/tenants' ? { name: 'Beta' } : { role: 'viewer' } })
    const far = { 'x-forwarded-for': '10.0.0.1', 'x-admin-token': 'the-admin-token-of-the-tests' }
    assertRefused(await ask(far), 403, 'FORBIDDEN')
    assertRefused(await ask({ ...far, 'x-gateway-local-token': 'a wrong one' }), 401, 'UNAUTHORIZED')
    assertRefused(await ask({ 'x-admin-token': 'the-admin-token-of-the-tests', 'x-gateway-local-token': '' }), 401, 'UNAUTHORIZED')
    assertRefused(await ask({ 'x-gateway-local-token': 'the-local-token-of-the-tests' }), 401, 'UNAUTHORIZED')
    assert.ok((await ask({ ...far, 'x-gateway-local-token': 'the-local-token-of-the-tests' })).status < 300)
    assert.ok((await ask({ 'x-admin-token': 'the-admin-token-of-the-tests' })).status < 300)
  }
})
