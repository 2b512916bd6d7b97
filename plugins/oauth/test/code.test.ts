import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { endsWith } from '../src/rules/consenter.ts'
import { script } from '../src/rules/page-script.ts'
import {
  ask,
  codeFor,
  consent,
  flow,
  form,
  ISSUER,
  pkce,
  queryOf,
  REDIRECT,
  refresh,
  registered,
  start,
  tokensFor,
  whoIs,
} from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

test('a client gets tokens by a code with PKCE, and calls in the name of the person, with no more than the scopes need', async () => {
  const person = await flow(gateway)
  const tokens = await tokensFor(person)
  assert.equal(tokens.scope, 'read work')
  assert.equal(await whoIs(gateway, tokens.access_token), 'member of acme')
})

test('the consent page has what a person decides by, and names the client and where the result goes', async () => {
  const person = await flow(gateway, { role: 'member' })
  const query = queryOf(person.clientId, pkce(), { scope: 'read work members' })
  const shown = (await ask(gateway, 'POST', '/api/oauth/requests', person.browser, { query })).json()
  assert.deepEqual(
    [shown.client.name, shown.redirectTo, shown.receiver, shown.scopes, shown.tenantId, shown.role, shown.days, shown.endsWith],
    ['Example client', REDIRECT, 'client.example', ['read', 'work'], 'acme', 'member', 30, 'key'],
  )
})

test('the consent page says that signing out ends the client of a browser session, and of no other', () => {
  const who = { callerId: 'ann', kind: 'user', role: 'member' } as const
  const ends = [{ keyId: 'k' }, { memberId: 'm' }, { sessionId: 's' }, {}].map((end) => endsWith({ ...who, ...end }))
  assert.deepEqual(ends, ['key', 'membership', 'session', undefined])
  for (const end of ends) if (end !== undefined) assert.match(script, new RegExp(`\\n {2}${end}: '`))
})

test('the answer to the client carries its state and the issuer, and a refusal as well', async () => {
  const person = await flow(gateway)
  const given = new URL((await consent(gateway, person.browser, queryOf(person.clientId, pkce()))).json().redirectTo)
  assert.deepEqual([given.searchParams.get('state'), given.searchParams.get('iss')], ['the-state', ISSUER])
  const refused = new URL((await consent(gateway, person.browser, queryOf(person.clientId, pkce()), [])).json().redirectTo)
  assert.deepEqual(
    ['error', 'state', 'iss', 'code'].map((name) => refused.searchParams.get(name)),
    ['access_denied', 'the-state', ISSUER, null],
  )
})

test('a refresh replaces both tokens, may narrow the scopes, and leaves calls under way alone', async () => {
  const person = await flow(gateway)
  const first = await tokensFor(person)
  const second = (await refresh(gateway, person.clientId, first.refresh_token, { scope: 'read' })).json()
  assert.equal(second.scope, 'read')
  assert.equal(await whoIs(gateway, second.access_token), 'viewer of acme')
  assert.equal(await whoIs(gateway, first.access_token), 'member of acme')
})

test('an access token ends after its time, and a grant after its own', async () => {
  const person = await flow(gateway)
  const tokens = await tokensFor(person)
  gateway.clock.advance(3_600_000)
  assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED')
  const next = (await refresh(gateway, person.clientId, tokens.refresh_token)).json()
  gateway.clock.advance(31 * 86_400_000)
  assert.equal((await refresh(gateway, person.clientId, next.refresh_token)).json().error, 'invalid_grant')
})

test('a code ends after a minute', async () => {
  const person = await flow(gateway)
  const fields = await codeFor(person)
  gateway.clock.advance(60_000)
  assert.equal((await form(gateway, '/oauth/token', fields)).json().error, 'invalid_grant')
})

test('a grant ends with the key that the person signed in with', async () => {
  const person = await flow(gateway)
  const tokens = await tokensFor(person)
  await gateway.tenants.revokeKey('acme', person.keyId)
  assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED')
})

test('a grant of the operator ends with the browser session, and never has the operator’s power', async () => {
  const clientId = await registered(gateway)
  const begun = await gateway.inject({ method: 'POST', url: '/api/sign-in', headers: {} })
  const cookie = String(begun.headers['set-cookie']).split(';')[0] as string
  const browser = { cookie, 'sec-fetch-site': 'same-origin' }
  const tokens = await tokensFor({ gateway, browser, clientId }, ['read', 'billing'])
  assert.equal(await whoIs(gateway, tokens.access_token), 'owner of local')
  await ask(gateway, 'DELETE', '/api/sign-in', browser)
  assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED')
})

test('a client ends its grant by revoking either token, and unknown tokens are no error', async () => {
  const person = await flow(gateway)
  for (const token of ['access_token', 'refresh_token'] as const) {
    const tokens = await tokensFor(person)
    assert.equal((await form(gateway, '/oauth/revoke', { token: tokens[token] })).status, 200)
    assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED', token)
  }
  assert.equal((await form(gateway, '/oauth/revoke', { token: 'unknown' })).status, 200)
})

test('a person lists and revokes grants, and others only with the capability members', async () => {
  const owner = await flow(gateway, { tenantId: 'listing' })
  const member = await flow(gateway, { tenantId: 'listing', role: 'member' })
  const tokens = await tokensFor(owner)
  const list = async (browser: Record<string, string>) => (await ask(gateway, 'GET', '/api/oauth/grants', browser)).json()
  const [{ grantId, client }] = (await list(owner.browser)).grants
  assert.equal(client, 'Example client')
  assert.equal((await list(member.browser)).count, 0)
  assert.equal((await ask(gateway, 'DELETE', `/api/oauth/grants/${grantId}`, member.browser)).status, 404)
  assert.equal((await ask(gateway, 'DELETE', `/api/oauth/grants/${grantId}`, owner.browser)).status, 200)
  assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED')
  const names = (await gateway.audit('listing')).map(({ name }) => name)
  assert.ok(names.includes('oauth.consented') && names.includes('oauth.revoked'), names.join())
})
