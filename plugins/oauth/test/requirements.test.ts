import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import {
  ask,
  codeFor,
  consent,
  documentServer,
  flow,
  form,
  ISSUER,
  keyOf,
  pkce,
  queryOf,
  REDIRECT,
  registered,
  start,
  tokensFor,
} from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

const JSON_TYPE = /^application\/json/

test('metadata is JSON with status 200, and its issuer is the address that it was found by', async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp']) {
    const { status, headers } = await ask(gateway, 'GET', path)
    assert.deepEqual([status, JSON_TYPE.test(String(headers['content-type']))], [200, true], path)
  }
  const { issuer, ...endpoints } = (await ask(gateway, 'GET', '/.well-known/oauth-authorization-server')).json()
  assert.equal(issuer, ISSUER)
  for (const [name, value] of Object.entries(endpoints)) {
    if (name.endsWith('_endpoint')) assert.ok(String(value).startsWith(`${ISSUER}/`), name)
    assert.ok(!(Array.isArray(value) && value.length === 0), `${name} is left out when it has no value`)
  }
})

test('answers with tokens are JSON that no cache keeps, and name type, lifetime and scopes', async () => {
  const person = await flow(gateway)
  const { status, headers, json } = await form(gateway, '/oauth/token', await codeFor(person))
  const { token_type, expires_in, scope } = json()
  assert.deepEqual([status, headers['cache-control'], token_type, expires_in, scope], [200, 'no-store', 'Bearer', 3_600, 'read work'])
  assert.match(String(headers['content-type']), JSON_TYPE)
})

test('a refusal of the token endpoint is 400 with an error code, and 401 with a challenge where the client’s own secret is wrong', async () => {
  for (const [fields, error] of [
    [{}, 'invalid_request'],
    [{ grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code: 'x' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
  ] as [Record<string, string>, string][]) {
    const refused = await form(gateway, '/oauth/token', fields)
    assert.deepEqual([refused.status, refused.json().error, refused.headers['cache-control']], [400, error, 'no-store'])
  }
  const { keyId } = await keyOf(gateway)
  const authorization = `Basic ${Buffer.from(`${keyId}:wrong`).toString('base64')}`
  const refused = await form(gateway, '/oauth/token', { grant_type: 'client_credentials' }, { authorization })
  assert.deepEqual(
    [refused.status, refused.json().error, refused.headers['www-authenticate']],
    [401, 'invalid_client', 'Basic realm="gateway"'],
  )
})

test('a client authenticates in one way at a time', async () => {
  const { keyId, apiKey } = await keyOf(gateway)
  const authorization = `Basic ${Buffer.from(`${keyId}:${apiKey}`).toString('base64')}`
  const refused = await form(gateway, '/oauth/token', { grant_type: 'client_credentials', client_secret: apiKey }, { authorization })
  assert.equal(refused.json().error, 'invalid_request')
})

test('unknown parameters are ignored, empty ones count as absent, and the state comes back as it was', async () => {
  const person = await flow(gateway)
  const state = 'a b+c&d=é%'
  const query = queryOf(person.clientId, pkce(), { state, unknown: 'x', response_mode: '' })
  const { redirectTo } = (await consent(gateway, person.browser, query)).json()
  assert.equal(new URL(redirectTo).searchParams.get('state'), state)
  assert.equal((await form(gateway, '/oauth/token', { ...(await codeFor(person)), unknown: 'x' })).status, 200)
})

test('the redirect address keeps its own query, and gets every parameter once', async () => {
  const redirect = 'https://client.example/callback?keep=1'
  const person = { ...(await flow(gateway)), clientId: await registered(gateway, [redirect]) }
  const { redirectTo } = (await consent(gateway, person.browser, queryOf(person.clientId, pkce(), { redirect_uri: redirect }))).json()
  const { searchParams } = new URL(redirectTo)
  assert.equal(searchParams.get('keep'), '1')
  for (const name of ['code', 'state', 'iss']) assert.equal(searchParams.getAll(name).length, 1, name)
})

test('other response types and modes are refused', async () => {
  const person = await flow(gateway)
  for (const [more, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
  ] as [Record<string, string>, string][]) {
    const { redirectTo } = (await consent(gateway, person.browser, queryOf(person.clientId, pkce(), more))).json()
    const { searchParams } = new URL(redirectTo)
    assert.deepEqual([searchParams.get('error'), searchParams.get('iss')], [error, ISSUER])
  }
})

test('a request without a scope gets those to begin with, and a request without a resource the one resource', async () => {
  const person = await flow(gateway)
  const tokens = await tokensFor(person)
  assert.equal(tokens.scope, 'read work')
  const query = queryOf(person.clientId, pkce(), { scope: '', resource: '' })
  const shown = (await ask(gateway, 'POST', '/api/oauth/requests', person.browser, { query })).json()
  assert.deepEqual([shown.scopes, shown.refusal], [['read', 'work'], undefined])
})

test('a device gets two codes, the page for the person, the lifetime and the interval, and its code is of one client', async () => {
  const begun = (await form(gateway, '/oauth/device_authorization', { client_id: 'gateway-cli' })).json()
  assert.match(begun.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  assert.equal(begun.verification_uri, `${ISSUER}/oauth/device`)
  assert.equal(begun.verification_uri_complete, `${ISSUER}/oauth/device?user_code=${begun.user_code}`)
  assert.deepEqual([begun.expires_in, begun.interval, begun.device_code.length >= 43], [600, 5, true])
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const other = await form(gateway, '/oauth/token', { grant_type, device_code: begun.device_code, client_id: await registered(gateway) })
  assert.equal(other.json().error, 'invalid_grant')
  assert.equal((await form(gateway, '/oauth/device_authorization', {})).json().error, 'invalid_request')
})

test('a registration answers 201 with what was registered, and names a wrong redirect address', async () => {
  const register = (body: unknown) => ask(gateway, 'POST', '/oauth/register', { 'content-type': 'application/json' }, JSON.stringify(body))
  const done = await register({ client_name: 'A', redirect_uris: [REDIRECT], unknown: 1 })
  const { client_id, client_id_issued_at, redirect_uris, token_endpoint_auth_method, client_secret } = done.json()
  assert.deepEqual([done.status, redirect_uris, token_endpoint_auth_method, client_secret], [201, [REDIRECT], 'none', undefined])
  assert.ok(client_id && Number.isInteger(client_id_issued_at))
  assert.equal((await register({ redirect_uris: ['http://evil.example'] })).json().error, 'invalid_redirect_uri')
  assert.equal(
    (await register({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' })).json().error,
    'invalid_client_metadata',
  )
})

test('a metadata document that cannot be read is asked for again, and one with a shared secret is refused', async () => {
  await using open = await start({ GATEWAY_OAUTH_LOOPBACK_CLIENTS: 'true' })
  const person = await flow(open)
  let isDown = true
  await using server = await documentServer((client_id) => {
    const method = client_id.endsWith('secret.json') ? { token_endpoint_auth_method: 'client_secret_basic' } : {}
    return isDown ? { status: 503, body: {} } : { body: { client_id, redirect_uris: [REDIRECT], ...method } }
  })
  const show = async (name: string) =>
    (await ask(open, 'POST', '/api/oauth/requests', person.browser, { query: queryOf(`${server.url}/${name}`, pkce()) })).status
  assert.equal(await show('c.json'), 400)
  isDown = false
  assert.equal(await show('c.json'), 200)
  assert.equal(await show('secret.json'), 400)
})

test('a token beyond its time, or of nobody, is 401 with invalid_token and the metadata', async () => {
  const person = await flow(gateway)
  const { access_token: token } = await tokensFor(person)
  gateway.clock.advance(3_600)
  for (const wrong of [token, 'gwo_acme~grant~x']) {
    const { status, headers } = await ask(gateway, 'POST', '/mcp', { authorization: `Bearer ${wrong}` }, {})
    assert.equal(status, 401)
    assert.match(String(headers['www-authenticate']), /^Bearer realm="gateway", error="invalid_token", resource_metadata="/)
  }
})
