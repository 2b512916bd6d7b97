import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { ask, flow, form, keyOf, start, whoIs } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const begin = async () => (await form(gateway, '/oauth/device_authorization', { client_id: 'gateway-cli', scope: 'read work' })).json()
const poll = async (device_code: string) =>
  (await form(gateway, '/oauth/token', { grant_type: GRANT, device_code, client_id: 'gateway-cli' })).json()
const decide = async (browser: Record<string, string>, userCode: string, scopes: string[]) => {
  const { approval } = (await ask(gateway, 'POST', '/api/oauth/consents', browser, { userCode, scopes })).json()
  return form(gateway, '/oauth/device', { approval })
}

test('a terminal gets tokens once a person has approved its code, and only once', async () => {
  const { browser } = await flow(gateway)
  const { device_code: code, user_code: shown, verification_uri_complete: uri } = await begin()
  assert.equal((await poll(code)).error, 'authorization_pending')
  assert.equal((await poll(code)).error, 'slow_down')
  assert.equal((await ask(gateway, 'GET', new URL(uri).pathname)).status, 200)
  const asked = (await ask(gateway, 'POST', '/api/oauth/requests', browser, { userCode: shown.toLowerCase() })).json()
  assert.deepEqual([asked.client.name, asked.scopes], ['gateway on the command line', ['read', 'work']])
  assert.equal((await decide(browser, shown, ['read'])).status, 200)
  const tokens = await poll(code)
  assert.equal(await whoIs(gateway, tokens.access_token), 'viewer of acme')
  assert.equal((await poll(code)).error, 'invalid_grant')
  assert.equal(await whoIs(gateway, tokens.access_token), 'viewer of acme')
})

test('a terminal learns that the person has refused, or that its time is over', async () => {
  const { browser } = await flow(gateway)
  const refused = await begin()
  await decide(browser, refused.user_code, [])
  assert.equal((await poll(refused.device_code)).error, 'access_denied')
  const late = await begin()
  gateway.clock.advance(600_000)
  assert.match((await poll(late.device_code)).error, /expired_token|invalid_grant/)
})

test('an approval is of one device, and a wrong code approves nothing', async () => {
  const { browser } = await flow(gateway)
  const [one, other] = [await begin(), await begin()]
  await decide(browser, one.user_code, ['read'])
  assert.equal((await poll(other.device_code)).error, 'authorization_pending')
  assert.equal((await ask(gateway, 'POST', '/api/oauth/consents', browser, { userCode: 'BBBB-BBBB', scopes: ['read'] })).status, 400)
  assert.equal((await form(gateway, '/oauth/device', { approval: 'acme~guess' })).json().error, 'invalid_grant')
})

test('an API key gets tokens as client credentials, within its role, which end with it', async () => {
  const { keyId, apiKey } = await keyOf(gateway, { role: 'member' })
  const basic = `Basic ${Buffer.from(`${keyId}:${apiKey}`).toString('base64')}`
  const granted = (await form(gateway, '/oauth/token', { grant_type: 'client_credentials' }, { authorization: basic })).json()
  assert.deepEqual([granted.scope, granted.refresh_token], ['read work', undefined])
  assert.equal(await whoIs(gateway, granted.access_token), 'member of acme')
  const post = { grant_type: 'client_credentials', client_id: keyId, client_secret: apiKey }
  assert.equal((await form(gateway, '/oauth/token', { ...post, scope: 'read' })).json().scope, 'read')
  assert.equal((await form(gateway, '/oauth/token', { ...post, scope: 'billing' })).json().error, 'invalid_scope')
  for (const wrong of [{ client_id: 'other' }, { client_secret: `${apiKey}x` }, { client_secret: 'x' }])
    assert.equal((await form(gateway, '/oauth/token', { ...post, ...wrong })).status, 401)
  await gateway.tenants.revokeKey('acme', keyId)
  assert.equal(await whoIs(gateway, granted.access_token), 'UNAUTHORIZED')
})
