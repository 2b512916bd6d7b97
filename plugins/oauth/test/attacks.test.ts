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

const refusalOf = async (response: Promise<{ json(): { error: string } }>): Promise<string> => (await response).json().error
const show = (browser: Record<string, string>, query: string) => ask(gateway, 'POST', '/api/oauth/requests', browser, { query })

test('mix-up: the answer names the issuer, and a code is worthless to another client', async () => {
  const person = await flow(gateway)
  const fields = await codeFor(person)
  const other = await registered(gateway)
  assert.equal(await refusalOf(form(gateway, '/oauth/token', { ...fields, client_id: other })), 'invalid_grant')
})

test('code replay: a second use is refused, and ends the grant of the first', async () => {
  const person = await flow(gateway)
  const fields = await codeFor(person)
  const { access_token: token } = (await form(gateway, '/oauth/token', fields)).json()
  assert.equal(await whoIs(gateway, token), 'member of acme')
  assert.equal(await refusalOf(form(gateway, '/oauth/token', fields)), 'invalid_grant')
  assert.equal(await whoIs(gateway, token), 'UNAUTHORIZED')
})

test('code replay: of requests at once, at most one gets tokens', async () => {
  const person = await flow(gateway)
  const fields = await codeFor(person)
  const answers = await Promise.all(Array.from({ length: 8 }, () => form(gateway, '/oauth/token', fields)))
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1)
  const { grants } = (await ask(gateway, 'GET', '/api/oauth/grants', person.browser)).json()
  assert.ok(grants.filter(({ clientId }: { clientId: string }) => clientId === person.clientId).length <= 1)
})

test('refresh replay: a token that was replaced ends the grant with all its tokens', async () => {
  const person = await flow(gateway)
  const first = await tokensFor(person)
  const second = (await refresh(gateway, person.clientId, first.refresh_token)).json()
  const third = (await refresh(gateway, person.clientId, second.refresh_token)).json()
  assert.equal(await refusalOf(refresh(gateway, person.clientId, first.refresh_token)), 'invalid_grant')
  assert.equal(await whoIs(gateway, third.access_token), 'UNAUTHORIZED')
  assert.equal(await refusalOf(refresh(gateway, person.clientId, third.refresh_token)), 'invalid_grant')
})

test('refresh replay: a guessed token ends no grant, and another client cannot use one', async () => {
  const person = await flow(gateway)
  const tokens = await tokensFor(person)
  const [tenant, grantId] = tokens.refresh_token.slice('gwr_'.length).split('~')
  assert.equal(await refusalOf(refresh(gateway, person.clientId, `gwr_${tenant}~${grantId}~guess~guess`)), 'invalid_grant')
  assert.equal(await refusalOf(refresh(gateway, await registered(gateway), tokens.refresh_token)), 'invalid_grant')
  assert.equal(await whoIs(gateway, tokens.access_token), 'member of acme')
})

test('redirect manipulation: only a registered address gets an answer, compared as text', async () => {
  const person = await flow(gateway)
  for (const redirect of [
    `${REDIRECT}/`,
    `${REDIRECT}?a=1`,
    `${REDIRECT}#x`,
    'https://client.example.evil.example/callback',
    'https://client.example@evil.example/callback',
    'https://client.example/callback/../evil',
    'http://client.example/callback',
    'javascript:alert(1)',
    '//evil.example',
  ]) {
    const query = queryOf(person.clientId, pkce(), { redirect_uri: redirect })
    for (const response of [await show(person.browser, query), await consent(gateway, person.browser, query)])
      assert.deepEqual([response.status, response.json().details?.field ?? response.json().field], [400, 'query'], redirect)
  }
  const fields = await codeFor(person)
  assert.equal(await refusalOf(form(gateway, '/oauth/token', { ...fields, redirect_uri: `${REDIRECT}2` })), 'invalid_grant')
})

test('redirect manipulation: the port alone may differ, and on the loopback alone', async () => {
  const person = await flow(gateway)
  const clientId = await registered(gateway, ['http://127.0.0.1/cb', 'https://client.example:444/cb'])
  const shown = async (redirect_uri: string) => (await show(person.browser, queryOf(clientId, pkce(), { redirect_uri }))).status
  assert.equal(await shown('http://127.0.0.1:49152/cb'), 200)
  assert.equal(await shown('http://127.0.0.1:49152/other'), 400)
  assert.equal(await shown('https://client.example:445/cb'), 400)
})

test('open redirect: the authorization endpoint itself never redirects, whatever it is asked', async () => {
  for (const query of ['', '?redirect_uri=https://evil.example', `?${queryOf('unknown', pkce())}`]) {
    const { status, headers } = await ask(gateway, 'GET', `/oauth/authorize${query}`)
    assert.deepEqual([status, headers.location], [200, undefined])
  }
})

test('open redirect: addresses that run something or leave https cannot be registered', async () => {
  for (const redirect of [
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/cb',
    'https://a.example/#x',
    'file:///etc/passwd',
    'x',
  ])
    assert.equal(await registered(gateway, [redirect]), undefined, redirect)
})

test('CSRF on consent: a request of another page, or without a sign of its own page, changes nothing', async () => {
  const person = await flow(gateway)
  const query = queryOf(person.clientId, pkce())
  const { cookie } = person.browser as { cookie: string }
  for (const headers of [
    { cookie },
    { cookie, 'sec-fetch-site': 'cross-site' },
    { cookie, 'sec-fetch-site': 'same-site' },
    { cookie, origin: 'https://evil.example' },
  ] as Record<string, string>[])
    assert.equal((await consent(gateway, headers, query)).status, 403, JSON.stringify(headers))
  assert.equal((await consent(gateway, {}, query)).status, 401)
})

test('clickjacking: no page may frame the consent page, which runs its own script alone', async () => {
  for (const path of ['/oauth/authorize', '/oauth/device']) {
    const { headers } = await ask(gateway, 'GET', path)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /default-src 'none'; script-src 'self'/)
    assert.equal(headers['x-frame-options'], 'DENY')
  }
})

test('SSRF: a metadata document is never read from this machine or a private network', async () => {
  const person = await flow(gateway)
  await using server = await documentServer((client_id) => ({ body: { client_id, redirect_uris: [REDIRECT] } }))
  const port = new URL(server.url).port
  for (const clientId of [
    `${server.url}/c.json`,
    `http://localhost:${port}/c.json`,
    `https://127.0.0.1:${port}/c.json`,
    'https://10.0.0.1/c.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/c.json',
    'https://[::ffff:127.0.0.1]/c.json',
    'https://0x7f000001/c.json',
    'https://user:secret@client.example/c.json',
    'https://client.example/a/../c.json',
    'https://client.example/c.json#x',
    'https://client.example:8443/c.json',
    'https://client.example/',
  ]) {
    const response = await show(person.browser, queryOf(clientId, pkce()))
    assert.equal(response.status, 400, `${clientId}: ${response.body}`)
  }
  assert.equal(server.asked(), 0)
})

test('DNS rebinding: a name that leads to this machine is refused while connecting', async () => {
  const person = await flow(gateway)
  const response = await show(person.browser, queryOf('https://localhost.localdomain/c.json', pkce()))
  assert.equal(response.status, 400, response.body)
})

test('a metadata document counts only as itself, without a redirect, a secret or an unsafe address', async () => {
  await using open = await start({ GATEWAY_OAUTH_LOOPBACK_CLIENTS: 'true' })
  const person = await flow(open)
  const good = (client_id: string) => ({ client_id, client_name: 'Doc', redirect_uris: [REDIRECT] })
  await using server = await documentServer((url) => {
    const path = new URL(url).pathname
    if (path === '/moved.json') return { status: 302, headers: { location: '/good.json' }, body: good(url) }
    if (path === '/other.json') return { body: good(url.replace('other', 'good')) }
    if (path === '/secret.json') return { body: { ...good(url), client_secret: 'x' } }
    if (path === '/unsafe.json') return { body: { ...good(url), redirect_uris: ['javascript:alert(1)'] } }
    if (path === '/large.json') return { body: { ...good(url), more: 'x'.repeat(20_000) } }
    return { body: good(url) }
  })
  for (const name of ['moved', 'other', 'secret', 'unsafe', 'large']) {
    const response = await ask(open, 'POST', '/api/oauth/requests', person.browser, {
      query: queryOf(`${server.url}/${name}.json`, pkce()),
    })
    assert.equal(response.status, 400, name)
  }
  const clientId = `${server.url}/good.json`
  const tokens = await tokensFor({ ...person, clientId })
  assert.equal(await whoIs(open, tokens.access_token), 'member of acme')
  const asked = server.asked()
  await ask(open, 'POST', '/api/oauth/requests', person.browser, { query: queryOf(clientId, pkce()) })
  assert.equal(server.asked(), asked, 'a document is cached')
})

test('audience confusion: a token is given for this gateway alone, and a foreign token is refused', async () => {
  const person = await flow(gateway)
  for (const resource of ['https://other.example/mcp', `${ISSUER}/other`, 'http://localhost:1/mcp', `${ISSUER}/mcp?x=1`, 'mcp']) {
    const { refusal } = (await show(person.browser, queryOf(person.clientId, pkce(), { resource }))).json()
    assert.equal(new URL(refusal).searchParams.get('error'), 'invalid_target', resource)
    const fields = await codeFor(person)
    assert.equal(await refusalOf(form(gateway, '/oauth/token', { ...fields, resource })), 'invalid_target', resource)
  }
  assert.equal(await whoIs(gateway, 'eyJhbGciOiJub25lIn0.e30.'), 'UNAUTHORIZED')
})

test('tenant confusion: a token, a code or a refresh token under another tenant’s name is void', async () => {
  const person = await flow(gateway)
  await flow(gateway, { tenantId: 'other' })
  const tokens = await tokensFor(person)
  const moved = (text: string) => text.replace('acme~', 'other~')
  assert.equal(await whoIs(gateway, moved(tokens.access_token)), 'UNAUTHORIZED')
  assert.equal(await whoIs(gateway, tokens.access_token.replace('acme~', 'nobody~')), 'UNAUTHORIZED')
  assert.equal(await refusalOf(refresh(gateway, person.clientId, moved(tokens.refresh_token))), 'invalid_grant')
  const fields = await codeFor(person)
  assert.equal(await refusalOf(form(gateway, '/oauth/token', { ...fields, code: moved(fields.code) })), 'invalid_grant')
})

test('tenant confusion: a suspended tenant gets no tokens, and its tokens are refused', async () => {
  const person = await flow(gateway, { tenantId: 'late' })
  const tokens = await tokensFor(person)
  const fields = await codeFor(person)
  await gateway.tenants.suspend('late')
  assert.equal(await whoIs(gateway, tokens.access_token), 'TENANT_SUSPENDED')
  assert.equal(await refusalOf(form(gateway, '/oauth/token', fields)), 'invalid_grant')
  assert.equal(await refusalOf(refresh(gateway, person.clientId, tokens.refresh_token)), 'invalid_grant')
})

test('scope escalation: neither consent, refresh nor the role gives more than was asked and granted', async () => {
  const person = await flow(gateway, { role: 'member' })
  const query = queryOf(person.clientId, pkce(), { scope: 'read work configure' })
  assert.equal((await consent(gateway, person.browser, query, ['read', 'configure'])).status, 400)
  assert.equal((await consent(gateway, person.browser, queryOf(person.clientId, pkce(), { scope: 'read' }), ['read', 'work'])).status, 400)
  const tokens = await tokensFor(person, ['read'])
  assert.equal(await refusalOf(refresh(gateway, person.clientId, tokens.refresh_token, { scope: 'read work' })), 'invalid_scope')
  assert.equal(await whoIs(gateway, (await refresh(gateway, person.clientId, tokens.refresh_token)).json().access_token), 'viewer of acme')
})

test('scope escalation: a client with a token can neither consent, nor sign a browser in', async () => {
  const person = await flow(gateway)
  const { access_token: token } = await tokensFor(person, ['read', 'work', 'configure', 'members', 'billing'])
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await consent(gateway, headers, queryOf(person.clientId, pkce()))).status, 403)
  assert.equal((await ask(gateway, 'POST', '/api/sign-in', headers)).status, 403)
  assert.equal((await ask(gateway, 'POST', '/api/sign-in/codes', headers, {})).status, 403)
})

test('scope escalation: a client without the scope members can neither revoke another client nor sign a browser out', async () => {
  const person = await flow(gateway)
  const other = { ...person, clientId: await registered(gateway) }
  const kept = await tokensFor(other)
  const { grants } = (await ask(gateway, 'GET', '/api/oauth/grants', person.browser)).json()
  const { sessions } = (await ask(gateway, 'GET', '/api/sign-ins', person.browser)).json()
  const targets = [`/api/oauth/grants/${grants[0].grantId}`, `/api/sign-ins/${sessions[0].sessionId}`]
  const end = async (scopes: string[]) => {
    const authorization = `Bearer ${(await tokensFor(person, scopes)).access_token}`
    return Promise.all(targets.map(async (url) => (await ask(gateway, 'DELETE', url, { authorization })).status))
  }
  assert.deepEqual(await end(['read', 'work']), [403, 403])
  assert.equal(await whoIs(gateway, kept.access_token), 'member of acme')
  assert.deepEqual(await end(['read', 'members']), [200, 200])
  assert.equal(await whoIs(gateway, kept.access_token), 'UNAUTHORIZED')
})

test('a caller whose credential may end unseen, such as a session token, cannot consent', async () => {
  const { clientId } = await flow(gateway)
  const as = { id: 'ada', kind: 'user', role: 'owner', tenantId: 'acme' } as const
  const consenting = gateway.call('oauth.consent', { query: queryOf(clientId, pkce()), scopes: ['read'] }, { as, via: 'rest' })
  await assert.rejects(consenting, { code: 'FORBIDDEN' })
})

test('registration flood: registrations are limited, and impossible by default', async () => {
  await using flooded = await start()
  const answers = []
  for (let i = 0; i < 62; i++) answers.push(await registered(flooded))
  assert.equal(answers.filter((id) => id !== undefined).length, 60)
  await using closed = await start({ GATEWAY_OAUTH_REGISTRATION: 'false' })
  assert.equal((await ask(closed, 'POST', '/oauth/register', { 'content-type': 'application/json' }, '{}')).status, 404)
})

test('PKCE downgrade: no challenge, plain, or another verifier gets no tokens', async () => {
  const person = await flow(gateway)
  for (const more of [
    { code_challenge_method: 'plain' },
    { code_challenge_method: '' },
    { code_challenge: '' },
    { code_challenge: 'short' },
  ] as Record<string, string>[]) {
    const { redirectTo } = (await consent(gateway, person.browser, queryOf(person.clientId, pkce(), more))).json()
    assert.equal(new URL(redirectTo).searchParams.get('error'), 'invalid_request', JSON.stringify(more))
  }
  const fields = await codeFor(person)
  for (const code_verifier of ['', pkce().verifier, 'x'])
    assert.equal(await refusalOf(form(gateway, '/oauth/token', { ...fields, code_verifier })), 'invalid_grant')
})

test('a token in the query or a cookie admits nobody, and secrets are not taken from an address', async () => {
  const person = await flow(gateway)
  const { access_token: token } = await tokensFor(person)
  assert.equal((await ask(gateway, 'GET', `/api/auth/whoami?access_token=${token}`)).status, 401)
  assert.equal((await ask(gateway, 'GET', '/api/auth/whoami', { cookie: `gateway_session=${token}` })).status, 401)
  const fields = new URLSearchParams(await codeFor(person)).toString()
  const response = await form(gateway, `/oauth/token?${fields}`, {})
  assert.deepEqual([response.status, response.json().error], [400, 'invalid_request'])
})

test('a parameter sent twice is refused', async () => {
  const person = await flow(gateway)
  const response = await show(person.browser, `${queryOf(person.clientId, pkce())}&client_id=other`)
  assert.equal(response.status, 400)
})
