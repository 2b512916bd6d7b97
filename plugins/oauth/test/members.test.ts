import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADA, signInAs, startWithProviders } from '../../sign-in/test/provider-support.ts'
import { jar } from '../../sign-in/test/support.ts'
import oauth from '../src/index.ts'
import { ask, form, keyOf, refresh, registered, tokensFor, whoIs } from './support.ts'

const STAFF = { provider: 'company', emailDomain: 'example.com', tenantId: 'acme', role: 'member' }
const withOAuth = (rules: readonly object[]) => startWithProviders(rules, { plugins: [oauth], config: { oauth: { registration: true } } })

test('a client that a member connects outlives the member’s browser session, and ends with the membership', async () => {
  await using all = await withOAuth([STAFF])
  const { gateway } = all
  const browser = jar(await signInAs(all, ADA))
  const tokens = await tokensFor({ gateway, browser, clientId: await registered(gateway) })
  assert.equal(await whoIs(gateway, tokens.access_token), 'member of acme')
  await ask(gateway, 'DELETE', '/api/sign-in', browser)
  assert.equal(await whoIs(gateway, tokens.access_token), 'member of acme')
  const admin = { 'x-api-key': (await keyOf(gateway)).apiKey }
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', admin)).json().members
  await ask(gateway, 'DELETE', `/api/members/${memberId}`, admin)
  assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED')
})

test('a terminal that a member approved by device code ends with the membership', async () => {
  await using all = await withOAuth([STAFF])
  const { gateway } = all
  const browser = jar(await signInAs(all, ADA))
  const device = { client_id: 'gateway-cli', scope: 'read work' }
  const { device_code, user_code: userCode } = (await form(gateway, '/oauth/device_authorization', device)).json()
  const { approval } = (await ask(gateway, 'POST', '/api/oauth/consents', browser, { userCode, scopes: ['read', 'work'] })).json()
  assert.equal((await form(gateway, '/oauth/device', { approval })).status, 200)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const tokens = (await form(gateway, '/oauth/token', { grant_type, device_code, client_id: 'gateway-cli' })).json()
  assert.equal(await whoIs(gateway, tokens.access_token), 'member of acme')
  const admin = { 'x-api-key': (await keyOf(gateway)).apiKey }
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', admin)).json().members
  await ask(gateway, 'DELETE', `/api/members/${memberId}`, admin)
  assert.equal(await whoIs(gateway, tokens.access_token), 'UNAUTHORIZED')
  const refreshed = await refresh(gateway, 'gateway-cli', tokens.refresh_token)
  assert.deepEqual([refreshed.status, refreshed.json().error], [400, 'invalid_grant'])
})

test('a client of a member has no scope beyond the member’s role of now', async () => {
  await using all = await withOAuth([])
  const { gateway } = all
  const admin = { 'x-api-key': (await keyOf(gateway)).apiKey }
  const { path } = (await ask(gateway, 'POST', '/api/invitations', admin, { role: 'admin' })).json()
  const browser = jar(await signInAs(all, ADA, { invitation: path.split('=')[1] }))
  const tokens = await tokensFor({ gateway, browser, clientId: await registered(gateway) }, ['read', 'work', 'configure'])
  assert.equal(await whoIs(gateway, tokens.access_token), 'admin of acme')
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', admin)).json().members
  await ask(gateway, 'PATCH', `/api/members/${memberId}`, admin, { role: 'viewer' })
  assert.equal(await whoIs(gateway, tokens.access_token), 'viewer of acme')
})
