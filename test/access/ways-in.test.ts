import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import tenants from '@gateway/plugin-tenants'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { SignJWT } from 'jose'

const who = definePlugin({
  id: 'who',
  sdk: '^1.0.0',
  description: 'Says who is calling.',
  tools: [
    defineTool({
      name: 'who_am_i',
      description: 'Says who is calling.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({}),
      handle: async (_, __, { principal }) => ({ ...principal }),
    }),
  ],
})

const SECRET = 'a-session-secret-of-some-length-0123456789'
const LOCAL = 'a-local-token-of-the-tests'
const ADMIN = 'an-admin-token-of-the-tests'
const env = { GATEWAY_JWT_SECRET: SECRET, GATEWAY_LOCAL_TOKEN: LOCAL, ADMIN_API_TOKEN: ADMIN }
const clock = testClock()

const sign = (claims: object, { secret = SECRET, alg = 'HS256', expires = 3_600 } = {}) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg })
    .setExpirationTime(new Date(clock.now() + expires * 1000))
    .sign(new TextEncoder().encode(secret))
const session = (over: object = {}, options = {}) => sign({ sub: 'ann', tenantId: 'acme', role: 'member', ...over }, options)

type Headers = Record<string, string>
const ask = async (gateway: TestGateway, headers: Headers, path = '/api/tools/who_am_i') => {
  const response = await gateway.inject({ method: 'POST', url: path, headers, body: {} })
  return { status: response.status, ...response.json() }
}
const admin = (gateway: TestGateway, method: string, url: string, body: object | undefined, headers: Headers = {}) =>
  gateway.inject({ method, url, headers: { 'x-admin-token': ADMIN, ...headers }, ...(body && { body }) })

/** Header that a browser sends with requests of the gateway's own page. */
const PAGE = { 'sec-fetch-site': 'same-origin' }

describe('the ways in', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startTestGateway({ plugins: [who, tenants], env, clock })
    await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  })
  after(() => gateway.stop())

  it('a local request is the operator of the tenant local', async () => {
    const { role, tenantId, kind } = await ask(gateway, {})
    assert.deepEqual({ role, tenantId, kind }, { role: 'operator', tenantId: 'local', kind: 'operator' })
  })

  it('a forwarded request needs a credential', async () => {
    assert.equal((await ask(gateway, { 'x-forwarded-for': '127.0.0.1' })).status, 401)
    assert.equal((await ask(gateway, { 'x-forwarded-for': '10.0.0.9', authorization: `Bearer ${LOCAL}` })).role, 'operator')
  })

  it('the local token works as Bearer and as x-gateway-local-token', async () => {
    assert.equal((await ask(gateway, { authorization: `Bearer ${LOCAL}` })).role, 'operator')
    assert.equal((await ask(gateway, { 'x-gateway-local-token': LOCAL })).role, 'operator')
    assert.equal((await ask(gateway, { 'x-gateway-local-token': `${LOCAL}x` })).code, 'UNAUTHORIZED')
  })

  it('a session token works as Bearer and in the cookie svc_token, with its tenant and role', async () => {
    const token = await session()
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `theme=dark; svc_token=${token}`, ...PAGE }]) {
      const { id, kind, role, tenantId } = await ask(gateway, headers)
      assert.deepEqual({ id, kind, role, tenantId }, { id: 'ann', kind: 'user', role: 'member', tenantId: 'acme' })
    }
  })

  it('a session token that is expired, foreign, unsigned, or claims a machine role is refused, never downgraded to local trust', async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x","tenantId":"acme","role":"owner","exp":9999999999}').toString('base64url')}.`
    const bad = [
      await session({}, { expires: -1 }),
      await session({}, { secret: 'another-secret-of-some-length-0123456789' }),
      await session({}, { alg: 'HS512' }),
      await session({ role: 'operator' }),
      await session({ role: 'system' }),
      await session({ tenantId: '../etc' }),
      await session({ tenantId: '_gateway' }),
      await sign({ tenantId: 'acme', role: 'member' }),
      unsigned,
      'nonsense',
      '',
    ]
    for (const token of bad) {
      const answer = await ask(gateway, { authorization: `Bearer ${token}` })
      assert.equal(
        answer.code === 'UNAUTHORIZED' || answer.code === 'RATE_LIMITED',
        true,
        `${token.slice(0, 30)} → ${JSON.stringify(answer)}`,
      )
    }
    clock.advance(120)
  })

  it('a session token seen before is refused once it has expired', async () => {
    const token = await session({}, { expires: 60 })
    assert.equal((await ask(gateway, { authorization: `Bearer ${token}` })).role, 'member')
    clock.advance(61)
    assert.equal((await ask(gateway, { authorization: `Bearer ${token}` })).code, 'UNAUTHORIZED')
  })

  it('an API key is its tenant with its role', async () => {
    const created = (await admin(gateway, 'POST', '/api/tenants', { name: 'Beta', tenantId: 'beta' })).json()
    assert.equal(created.tenant.status, 'active')
    const { role, tenantId, kind } = await ask(gateway, { 'x-api-key': created.apiKey })
    assert.deepEqual({ role, tenantId, kind }, { role: 'owner', tenantId: 'beta', kind: 'api-key' })
    assert.equal((await ask(gateway, { 'x-api-key': `${created.apiKey.slice(0, -1)}!` })).code, 'UNAUTHORIZED')
    const viewer = (await admin(gateway, 'POST', '/api/tenants/beta/keys', { role: 'viewer', environment: 'test' })).json()
    assert.match(viewer.apiKey, /^gw_test_/)
    assert.equal((await ask(gateway, { 'x-api-key': viewer.apiKey })).role, 'viewer')
    const further = (await admin(gateway, 'POST', '/api/tenants/beta/keys', {})).json()
    assert.match(further.apiKey, /^gw_live_/)
    assert.equal((await ask(gateway, { authorization: `Bearer ${further.apiKey}` })).role, 'member')
  })

  it('GET /api/auth/whoami tells a caller who it is', async () => {
    const created = (await admin(gateway, 'POST', '/api/tenants', { name: 'Gamma', tenantId: 'gamma', plan: 'team' })).json()
    const response = await gateway.inject({ method: 'GET', url: '/api/auth/whoami', headers: { 'x-api-key': created.apiKey } })
    const { principal, ...rest } = response.json()
    assert.equal(principal.kind, 'api-key')
    assert.deepEqual(rest, {
      tenantId: 'gamma',
      tenantName: 'Gamma',
      plan: 'team',
      role: 'owner',
      capabilities: ['read', 'work', 'configure', 'members', 'billing'],
      quota: {},
    })
  })

  it('the operator’s routes: 401 without or with a wrong token, 503 when none is configured, 403 where a key is shown without local trust', async () => {
    assert.equal((await gateway.inject({ method: 'GET', url: '/api/tenants' })).json().code, 'UNAUTHORIZED')
    assert.equal((await admin(gateway, 'GET', '/api/tenants', undefined, { 'x-admin-token': 'wrong' })).json().code, 'UNAUTHORIZED')
    assert.equal((await admin(gateway, 'GET', '/api/tenants', undefined)).status, 200)
    const forwarded = { 'x-forwarded-for': '10.1.1.1' }
    assert.equal((await admin(gateway, 'GET', '/api/tenants', undefined, forwarded)).status, 200)
    assert.equal((await admin(gateway, 'POST', '/api/tenants/beta/rotate-key', {}, forwarded)).json().code, 'FORBIDDEN')
    assert.equal(
      (await admin(gateway, 'POST', '/api/tenants/beta/rotate-key', {}, { ...forwarded, 'x-gateway-local-token': LOCAL })).status,
      200,
    )
    await using bare = await startTestGateway({ plugins: [tenants] })
    const off = await bare.inject({ method: 'GET', url: '/api/tenants', headers: { 'x-admin-token': 'any' } })
    assert.deepEqual([off.status, off.json().code], [503, 'ADMIN_DISABLED'])
  })

  it('a suspended tenant is refused on the very next call, by key and by session, and is back after reactivation', async () => {
    const { apiKey } = (await admin(gateway, 'POST', '/api/tenants', { name: 'Delta', tenantId: 'delta' })).json()
    const token = await session({ tenantId: 'delta' })
    const ways: Headers[] = [{ 'x-api-key': apiKey }, { authorization: `Bearer ${token}` }, { cookie: `svc_token=${token}`, ...PAGE }]
    for (const headers of ways) assert.equal((await ask(gateway, headers)).tenantId, 'delta')
    await admin(gateway, 'POST', '/api/tenants/delta/suspend', { reason: 'unpaid' })
    for (const headers of ways) {
      const answer = await ask(gateway, headers)
      assert.deepEqual([answer.status, answer.code], [403, 'TENANT_SUSPENDED'])
    }
    await gateway.restart()
    assert.equal((await ask(gateway, { 'x-api-key': apiKey })).code, 'TENANT_SUSPENDED')
    await admin(gateway, 'POST', '/api/tenants/delta/reactivate', {})
    for (const headers of ways) assert.equal((await ask(gateway, headers)).tenantId, 'delta')
  })

  it('a rotated key stays valid for its grace window and no longer; rotating twice does not lengthen it', async () => {
    const { apiKey: first } = (await admin(gateway, 'POST', '/api/tenants', { name: 'Eps', tenantId: 'eps' })).json()
    const rotate = async (graceMinutes: number) =>
      (await admin(gateway, 'POST', '/api/tenants/eps/rotate-key', { role: 'owner', graceMinutes })).json().apiKey as string
    const valid = async (key: string) => (await ask(gateway, { 'x-api-key': key })).tenantId === 'eps'
    const second = await rotate(10)
    assert.ok((await valid(first)) && (await valid(second)))
    const third = await rotate(60)
    clock.advance(10 * 60 + 1)
    assert.deepEqual([await valid(first), await valid(second), await valid(third)], [false, true, true])
    const fourth = await rotate(0)
    assert.deepEqual([await valid(second), await valid(third), await valid(fourth)], [false, false, true])
  })

  it('the local token is dual-valid after a rotation, until the grace window has passed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-rotation-'))
    const plugins = [who, tenants]
    await (await startTestGateway({ plugins, clock, env, dataDir })).stop()
    const rotated = await startTestGateway({
      plugins,
      clock,
      dataDir,
      env: { ...env, GATEWAY_LOCAL_TOKEN: 'a-new-local-token', GATEWAY_ROTATION_GRACE_MINUTES: '5' },
    })
    const bearer = async (token: string) => (await ask(rotated, { authorization: `Bearer ${token}` })).role
    assert.deepEqual([await bearer(LOCAL), await bearer('a-new-local-token')], ['operator', 'operator'])
    clock.advance(5 * 60 + 1)
    assert.deepEqual([await bearer(LOCAL), await bearer('a-new-local-token')], [undefined, 'operator'])
    await rotated.stop()
    await rm(dataDir, { recursive: true })
  })

  it('many wrong credentials from one address have to wait, a right one never; none leaves its secret in log or audit', async () => {
    await using strict = await startTestGateway({ plugins: [who, tenants], clock, env: { ...env, GATEWAY_FAILED_LOGIN_LIMIT: '3' } })
    for (let i = 0; i < 3; i++) assert.equal((await ask(strict, { 'x-api-key': `wrong-secret-${i}` })).code, 'UNAUTHORIZED')
    const limited = await ask(strict, { 'x-api-key': 'wrong-secret-3' })
    assert.deepEqual([limited.status, limited.code], [429, 'RATE_LIMITED'])
    assert.equal((await ask(strict, { authorization: `Bearer ${LOCAL}` })).role, 'operator')
    assert.equal((await ask(strict, {})).role, 'operator', 'a request without a credential is not touched')
    clock.advance(61)
    assert.equal((await ask(strict, { 'x-api-key': 'wrong-secret-3' })).code, 'UNAUTHORIZED')
    const trail = JSON.stringify([await strict.audit(), strict.logs])
    assert.ok(trail.includes('auth.refused'))
    for (const secret of ['wrong-secret', LOCAL, ADMIN, SECRET]) assert.ok(!trail.includes(secret), secret)
  })
})
