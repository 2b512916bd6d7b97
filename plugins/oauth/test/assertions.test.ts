import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWithProviders } from '../../sign-in/test/provider-support.ts'
import oauth from '../src/index.ts'
import { ask, form, ISSUER, keyOf, registered, whoIs } from './support.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const STAFF = { provider: 'company', group: 'staff', tenantId: 'acme', role: 'member' }
const PERSON = { sub: 'ada', email: 'ada@example.com', email_verified: true, groups: ['staff'] }

async function setUp(assertions = true) {
  const all = await startWithProviders([STAFF], { provider: { assertions }, plugins: [oauth], config: { oauth: { registration: true } } })
  const clientId = await registered(all.gateway)
  const claims = { ...PERSON, aud: ISSUER, client_id: clientId, resource: `${ISSUER}/mcp`, scope: 'read work' }
  const redeem = (assertion: string, more: Record<string, string> = {}) =>
    form(all.gateway, '/oauth/token', { grant_type: GRANT, assertion, client_id: clientId, ...more })
  return { ...all, clientId, claims, redeem }
}

test('a client gets a token by an identity assertion of a configured issuer, without a page of consent and without a refresh token', async () => {
  const { gateway, issuer, claims, redeem, ...all } = await setUp()
  await using _end = all
  const metadata = (await ask(gateway, 'GET', '/.well-known/oauth-authorization-server')).json()
  assert.ok(metadata.grant_types_supported.includes(GRANT))
  assert.deepEqual(metadata.authorization_grant_profiles_supported, ['urn:ietf:params:oauth:grant-profile:id-jag'])
  const answer = await redeem(await issuer.assert(claims))
  assert.equal(answer.status, 200, answer.body)
  const { access_token: token, refresh_token: refresh, scope } = answer.json()
  assert.deepEqual([refresh, scope, await whoIs(gateway, token)], [undefined, 'read work', 'member of acme'])
  assert.equal((await redeem(await issuer.assert({ ...claims, scope: 'read work members' }), { scope: 'read' })).json().scope, 'read')
  const record = (await gateway.audit('acme')).at(-1) as { name: string; details: { by: string }; principal: { label: string } }
  assert.deepEqual([record.name, record.details.by, record.principal.label], ['oauth.issued', 'jwt-bearer', 'ada@example.com'])
  const admin = { 'x-api-key': (await keyOf(gateway)).apiKey }
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', admin)).json().members
  await ask(gateway, 'DELETE', `/api/members/${memberId}`, admin)
  assert.equal(await whoIs(gateway, token), 'UNAUTHORIZED')
})

test('an assertion that is forged, of another type, client, audience or issuer, too long-lived or used before gives no token', async () => {
  const { gateway, issuer, claims, redeem, ...all } = await setUp()
  await using _end = all
  const at = Math.floor(gateway.clock.now() / 1_000)
  const { jti: _jti, ...withoutId } = claims as Record<string, unknown>
  const bad: readonly [claims: object, options?: object][] = [
    [claims, { isForeign: true }],
    [claims, { typ: 'JWT' }],
    [{ ...claims, client_id: 'another' }],
    [{ ...claims, aud: 'https://other.example' }],
    [{ ...claims, aud: [ISSUER, 'https://other.example'] }],
    [{ ...claims, iss: 'https://evil.example' }],
    [{ ...claims, exp: at - 600 }],
    [{ ...claims, exp: at + 86_400 }],
    [{ ...withoutId, jti: undefined }],
    [{ ...claims, sub: undefined }],
    [{ ...claims, groups: [] }],
  ]
  for (const [one, options] of bad) {
    const { status, json } = await redeem(await issuer.assert(one as never, options))
    assert.deepEqual([status, json().error], [400, 'invalid_grant'], JSON.stringify([one, options]))
  }
  assert.equal((await redeem(await issuer.assert({ ...claims, resource: 'https://other.example/mcp' }))).json().error, 'invalid_target')
  assert.equal((await redeem(await issuer.assert(claims), { scope: 'members' })).json().error, 'invalid_scope')
  assert.equal((await redeem('x')).json().error, 'invalid_grant')
  const good = await issuer.assert(claims)
  const answers = await Promise.all([redeem(good), redeem(good)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
})

test('assertions are accepted of no issuer by default', async () => {
  const { gateway, issuer, claims, redeem, ...all } = await setUp(false)
  await using _end = all
  assert.equal((await redeem(await issuer.assert(claims))).json().error, 'unsupported_grant_type')
  const metadata = (await ask(gateway, 'GET', '/.well-known/oauth-authorization-server')).json()
  assert.ok(!metadata.grant_types_supported.includes(GRANT))
})
