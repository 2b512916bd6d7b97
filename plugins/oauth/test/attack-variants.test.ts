import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { receiverOf } from '../src/rules/redirects.ts'
import {
  ask,
  codeFor,
  consent,
  flow,
  form,
  keyOf,
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

const show = (browser: Record<string, string>, query: string) => ask(gateway, 'POST', '/api/oauth/requests', browser, { query })
const errorOf = (response: { json(): { error: string } }): string => response.json().error

test('redirect manipulation: another writing of a registered address is another address', async () => {
  const person = await flow(gateway)
  for (const redirect_uri of [
    'HTTPS://client.example/callback',
    'https://CLIENT.example/callback',
    'https://client.example:443/callback',
    'https://client.example./callback',
    'https://client.example/callback ',
    ' https://client.example/callback',
    'https://client.example/call\nback',
    'https://client.example/c%61llback',
    'https://client.example/callback%2f..%2fevil',
    'https://client.example/callback/%2e%2e/evil',
    'https://client.example%2fcallback',
    'https://client.example\\@evil.example/callback',
    'https://client.example:443@evil.example/callback',
    'https://client.ex\u0430mple/callback',
    'https://client.example/callb\u0430ck',
    'https:client.example/callback',
    '/callback',
  ]) {
    const query = queryOf(person.clientId, pkce(), { redirect_uri })
    for (const response of [await show(person.browser, query), await consent(gateway, person.browser, query)])
      assert.equal(response.status, 400, redirect_uri)
  }
})

test('redirect manipulation: of a loopback address only the port may differ, and no name stands for another', async () => {
  const person = await flow(gateway)
  const clientId = await registered(gateway, ['http://127.0.0.1:7000/cb', 'http://[::1]/six'])
  const shown = async (redirect_uri: string) => (await show(person.browser, queryOf(clientId, pkce(), { redirect_uri }))).status
  for (const good of ['http://127.0.0.1:7000/cb', 'http://127.0.0.1/cb', 'http://127.0.0.1:1/cb', 'http://[::1]:65535/six'])
    assert.equal(await shown(good), 200, good)
  for (const bad of [
    'http://localhost:7000/cb',
    'http://[::1]:7000/cb',
    'http://127.0.0.1/six',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://0x7f.0.0.1/cb',
    'http://2130706433/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://127.0.0.1:7000@evil.example/cb',
    'http://user@127.0.0.1:7000/cb',
    'http://127.0.0.1:7000/cb/',
    'http://127.0.0.1:7000/cb?x=1',
    'http://127.0.0.1:99999/cb',
    'https://127.0.0.1:7000/cb',
  ])
    assert.equal(await shown(bad), 400, bad)
})

test('redirect manipulation: the consent page names the receiver so that no other can be meant', () => {
  assert.equal(receiverOf('https://client.example/callback'), 'client.example')
  assert.equal(receiverOf('http://127.0.0.1:7000/cb'), '127.0.0.1:7000, a program on this computer')
  assert.equal(receiverOf('evil://client.example/callback'), 'an app on this computer that opens evil: addresses')
})

test('a parameter sent twice is refused wherever it is sent, also with one value', async () => {
  const person = await flow(gateway)
  const query = queryOf(person.clientId, pkce())
  for (const [name, value] of new URLSearchParams(query))
    assert.equal((await show(person.browser, `${query}&${new URLSearchParams({ [name]: value })}`)).status, 400, name)
  const fields = new URLSearchParams(await codeFor(person))
  for (const [name, value] of fields) {
    const body = `${fields}&${new URLSearchParams({ [name]: value })}`
    const response = await ask(gateway, 'POST', '/oauth/token', { 'content-type': 'application/x-www-form-urlencoded' }, body)
    assert.deepEqual([response.status, errorOf(response)], [400, 'invalid_request'], name)
  }
})

test('unknown parameters, such as those of other protocols, change nothing', async () => {
  const person = await flow(gateway)
  const more = {
    prompt: 'none',
    request: 'eyJhbGciOiJub25lIn0.e30.',
    request_uri: 'https://evil.example/r',
    id_token_hint: 'x',
    nonce: 'n',
    max_age: '0',
  }
  const shown = (await show(person.browser, queryOf(person.clientId, pkce(), more))).json()
  assert.deepEqual([shown.redirectTo, shown.scopes, shown.refusal], [REDIRECT, ['read', 'work'], undefined])
})

test('PKCE downgrade: the method is S256 to the letter, and a challenge is no verifier', async () => {
  const person = await flow(gateway)
  for (const code_challenge_method of ['s256', 'S512', 'S256 ', 'plain']) {
    const { refusal } = (await show(person.browser, queryOf(person.clientId, pkce(), { code_challenge_method }))).json()
    assert.equal(new URL(refusal).searchParams.get('error'), 'invalid_request', code_challenge_method)
  }
  const pair = pkce()
  const { redirectTo } = (await consent(gateway, person.browser, queryOf(person.clientId, pair))).json()
  const code = new URL(redirectTo).searchParams.get('code') as string
  const fields = { grant_type: 'authorization_code', code, client_id: person.clientId, redirect_uri: REDIRECT }
  for (const code_verifier of [pair.challenge, `${pair.verifier}=`, pair.verifier.toUpperCase(), pair.verifier.slice(0, -1)])
    assert.equal(errorOf(await form(gateway, '/oauth/token', { ...fields, code_verifier })), 'invalid_grant')
})

test('no secret stands for one of another kind: codes, tokens, refresh tokens and keys', async () => {
  const person = await flow(gateway)
  const { access_token: access, refresh_token: renewing } = await tokensFor(person)
  const fields = await codeFor(person)
  for (const bearer of [renewing, fields.code, access.slice(4), `gwo_${fields.code}`, renewing.replace('gwr_', access.slice(0, 4))])
    assert.equal(await whoIs(gateway, bearer), 'UNAUTHORIZED', bearer.slice(0, 8))
  for (const token of [access, fields.code, access.replace(access.slice(0, 4), 'gwr_')])
    assert.equal(errorOf(await refresh(gateway, person.clientId, token)), 'invalid_grant')
  for (const code of [access, renewing, renewing.slice(4)])
    assert.equal(errorOf(await form(gateway, '/oauth/token', { ...fields, code })), 'invalid_grant')
  const { keyId } = await keyOf(gateway)
  const credentials = { grant_type: 'client_credentials', client_id: keyId, client_secret: access }
  assert.equal(errorOf(await form(gateway, '/oauth/token', credentials)), 'invalid_client')
  assert.equal(await whoIs(gateway, access), 'member of acme')
})

test('a token request that lacks what it is about is invalid_request, by the name of the parameter', async () => {
  for (const [grant_type, name] of [
    ['authorization_code', 'code'],
    ['refresh_token', 'refresh_token'],
    ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
  ] as const) {
    const { error, error_description: says } = (await form(gateway, '/oauth/token', { grant_type, client_id: 'x' })).json()
    assert.deepEqual([error, says], ['invalid_request', `${name} is missing.`])
  }
})

test('the client of the command line has no redirect address, so that no page can use its name', async () => {
  const person = await flow(gateway)
  for (const redirect_uri of [REDIRECT, 'http://127.0.0.1:7000/', 'http://localhost/'])
    assert.equal((await show(person.browser, queryOf('gateway-cli', pkce(), { redirect_uri }))).status, 400)
})

test('other methods, paths, types and sizes get no tokens, and HEAD is answered like GET', async () => {
  const person = await flow(gateway)
  const text = new URLSearchParams(await codeFor(person)).toString()
  const send = (method: string, url: string, type: string, body?: string) => ask(gateway, method, url, { 'content-type': type }, body)
  const FORM = 'application/x-www-form-urlencoded'
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) assert.equal((await send(method, '/oauth/token', FORM)).status, 404, method)
  for (const path of ['/oauth/token/', '/oauth//token', '/OAUTH/token', '/oauth/token%2f', '/oauth/%74oken', '/oauth/token;x'])
    assert.ok([401, 404].includes((await send('POST', path, FORM, text)).status), path)
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencodedx'])
    assert.deepEqual([(await send('POST', '/oauth/token', type, text)).status, type], [400, type])
  assert.equal((await send('POST', '/oauth/token', FORM, `${text}&x=${'x'.repeat(70_000)}`)).status, 413)
  assert.equal(
    (await send('POST', '/oauth/token', FORM, `${text}&${Array.from({ length: 60 }, (_, n) => `p${n}=1`).join('&')}`)).status,
    400,
  )
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server', '/oauth/authorize']) {
    const [got, head] = [await ask(gateway, 'GET', path), await ask(gateway, 'HEAD', path)]
    assert.deepEqual([head.status, head.headers['content-type']], [200, got.headers['content-type']], path)
  }
  assert.equal((await send('POST', '/oauth/token', `${FORM}; charset=utf-8`, text)).status, 200)
})

test('a client in the browser of an allowed origin may discover, register and get tokens, and no other page may', async () => {
  await using open = await start({ GATEWAY_ALLOWED_ORIGINS: 'https://app.example' })
  for (const path of [
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/oauth/register',
    '/oauth/token',
  ]) {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type, mcp-protocol-version' }
    const { status, headers } = await ask(open, 'OPTIONS', path, { origin: 'https://app.example', ...asked })
    assert.deepEqual([status, headers['access-control-allow-origin']], [204, 'https://app.example'], path)
    assert.match(String(headers['access-control-allow-headers']), /content-type,.*mcp-protocol-version/)
    assert.match(String(headers['access-control-allow-methods']), /GET.*POST/)
    assert.equal((await ask(open, 'OPTIONS', path, { origin: 'https://evil.example', ...asked })).status, 403)
  }
  assert.equal((await ask(open, 'OPTIONS', '/.well-known/other')).status, 404)
})

test('a client cannot look like another one by its name', async () => {
  const person = await flow(gateway)
  const metadata = { client_name: '\u202eedualC\u200b\n\u0000', redirect_uris: [REDIRECT] }
  const made = await ask(gateway, 'POST', '/oauth/register', { 'content-type': 'application/json' }, JSON.stringify(metadata))
  const { client } = (await show(person.browser, queryOf(made.json().client_id, pkce()))).json()
  assert.equal(client.name, 'edualC')
})
