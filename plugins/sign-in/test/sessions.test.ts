import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, assertRefused, browser, jar, key, PAGE, setCookies, start, whoIs } from './support.ts'

test('a key is exchanged for a session of its tenant, role and label, in a cookie that no script reads and no other site sends', async () => {
  await using gateway = await start()
  const { apiKey, keyId } = await key(gateway, { role: 'viewer', label: 'Ann’s laptop' })
  const response = await ask(gateway, 'POST', '/api/sign-in', { 'x-api-key': apiKey, 'user-agent': 'Browser/1' })
  const { session } = response.json()
  assert.deepEqual(
    { ...session, sessionId: '…' },
    {
      sessionId: '…',
      who: `key:${keyId}`,
      label: 'Ann’s laptop',
      role: 'viewer',
      tenantId: 'acme',
      client: 'Browser/1',
      createdAt: '2026-01-05T09:00:00.000Z',
      expiresAt: '2026-01-05T21:00:00.000Z',
      current: true,
    },
  )
  assert.match(setCookies(response)[0] ?? '', /^gateway_session=acme:[^;]+; Path=\/; Max-Age=129600; HttpOnly; SameSite=Strict$/)
  assert.ok(!response.body.includes(/:([^:;]+);/.exec(setCookies(response)[0] ?? '')?.[1] as string), 'the body does not tell the secret')
  assert.equal(await whoIs(gateway, jar(response)), 'viewer of acme')
  const state = (await ask(gateway, 'GET', '/api/sign-in', jar(response))).json()
  assert.deepEqual(
    [state.signedIn, state.session, state.principal.kind, state.lift],
    [true, session, 'api-key', { until: null, secondsLeft: null }],
  )
  const stored = (await gateway.documents('acme'))['sign-in.sessions']
  assert.ok(
    !JSON.stringify(stored).includes(setCookies(response)[0]?.split(':')[2]?.split(';')[0] as string),
    'the store has its hash alone',
  )
})

test('Secure is set when the page came by https', async () => {
  await using gateway = await start({ GATEWAY_ALLOWED_HOSTS: 'gateway.example', GATEWAY_LOOPBACK_TRUST: '1' })
  const { apiKey } = await key(gateway)
  const secure = async (headers: Record<string, string>) =>
    setCookies(await ask(gateway, 'POST', '/api/sign-in', { 'x-api-key': apiKey, ...headers })).every((cookie) =>
      cookie.endsWith('; Secure'),
    )
  assert.equal(await secure({ 'x-forwarded-proto': 'https' }), true)
  assert.equal(await secure({ forwarded: 'for=10.0.0.1;proto=https' }), true)
  assert.equal(await secure({ host: 'gateway.example', origin: 'https://gateway.example' }), true)
  assert.equal(await secure({ 'x-forwarded-proto': 'http' }), false)
})

test('a change with the cookie comes from a page of the gateway: by Sec-Fetch-Site or Origin; reading needs neither', async () => {
  await using gateway = await start()
  const { cookie } = await browser(gateway, (await key(gateway)).apiKey)
  const change = (headers: Record<string, string>) => ask(gateway, 'DELETE', '/api/sign-ins/none', { cookie: cookie as string, ...headers })
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'none' }]) {
    const response = await change(headers)
    assertRefused(response, 403, 'FORBIDDEN')
    assert.deepEqual(setCookies(response), [], 'whose page it was not, it does not sign out')
  }
  assertRefused(await change({ origin: 'http://evil.example' }), 403, 'FORBIDDEN')
  assertRefused(await change({ origin: 'null', ...PAGE }), 403, 'FORBIDDEN')
  assertRefused(await change(PAGE), 404, 'NOT_FOUND')
  assert.equal(await whoIs(gateway, { cookie: cookie as string }), 'owner of acme')
})

test('sessions are listed: one’s own, all of the tenant’s for its admins; and ended one by one', async () => {
  await using gateway = await start()
  const [owner, viewer] = [
    await browser(gateway, (await key(gateway)).apiKey),
    await browser(gateway, (await key(gateway, { role: 'viewer' })).apiKey),
  ]
  const other = await browser(gateway, (await key(gateway, { tenantId: 'beta' })).apiKey)
  const list = async (who: Record<string, string>) => (await ask(gateway, 'GET', '/api/sign-ins', who)).json()
  assert.deepEqual([(await list(owner)).count, (await list(viewer)).count, (await list(other)).count], [2, 1, 1])
  const { sessions } = await list(owner)
  const find = (role: string) => sessions.find((one: { role: string }) => one.role === role)
  assert.deepEqual([find('owner').current, find('viewer').current], [true, false])
  for (const stranger of [viewer, other])
    assertRefused(await ask(gateway, 'DELETE', `/api/sign-ins/${find('owner').sessionId}`, stranger), 404, 'NOT_FOUND')
  assert.equal((await ask(gateway, 'DELETE', `/api/sign-ins/${find('viewer').sessionId}`, owner)).status, 200)
  assert.deepEqual([await whoIs(gateway, viewer), await whoIs(gateway, owner)], ['UNAUTHORIZED', 'owner of acme'])
  assert.equal((await gateway.audit('acme')).at(-1)?.name, 'session.ended')
})

test('signing out ends the session, not only the cookie', async () => {
  await using gateway = await start()
  const mine = await browser(gateway, (await key(gateway, { role: 'viewer' })).apiKey)
  const response = await ask(gateway, 'DELETE', '/api/sign-in', mine)
  assert.equal(response.status, 200)
  assert.ok(setCookies(response).some((cookie) => cookie.startsWith('gateway_session=; ') && cookie.includes('Max-Age=0')))
  assert.equal(await whoIs(gateway, mine), 'UNAUTHORIZED')
})

test('a session outlives a restart, and ends with its key, after its time, or while its tenant is suspended', async () => {
  await using gateway = await start()
  const { apiKey, keyId } = await key(gateway)
  const [one, other] = [await browser(gateway, apiKey), await browser(gateway, (await key(gateway)).apiKey)]
  await gateway.restart()
  assert.equal(await whoIs(gateway, one), 'owner of acme')
  await gateway.tenants.revokeKey('acme', keyId)
  assert.deepEqual([await whoIs(gateway, one), await whoIs(gateway, other)], ['UNAUTHORIZED', 'owner of acme'])
  await gateway.tenants.suspend('acme')
  assert.equal(await whoIs(gateway, other), 'TENANT_SUSPENDED')
  assert.deepEqual(setCookies(await ask(gateway, 'GET', '/api/sign-in', other)), [], 'the session goes on with its tenant')
  await gateway.tenants.reactivate('acme')
  gateway.clock.advance(12 * 3_600 - 1)
  assert.equal(await whoIs(gateway, other), 'owner of acme')
  gateway.clock.advance(1)
  assert.equal(await whoIs(gateway, other), 'UNAUTHORIZED')
})

test('a browser keeps the cookie longer than the session lasts: who comes late is refused, and not silently the operator of this machine', async () => {
  await using gateway = await start()
  const { apiKey } = await key(gateway)
  const begun = await ask(gateway, 'POST', '/api/sign-in', { 'x-api-key': apiKey })
  const [cookie = ''] = setCookies(begun)
  const { createdAt, expiresAt } = begun.json().session
  const lasts = (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000
  assert.equal(Number(/Max-Age=(\d+)/.exec(cookie)?.[1]) - lasts, 86_400)
  gateway.clock.advance(lasts)
  assertRefused(await gateway.inject({ method: 'GET', url: '/api/auth/whoami', headers: jar(begun) }), 401, 'UNAUTHORIZED')
})

test('a refusal takes a dead cookie away, so that this machine’s browser is the operator again', async () => {
  await using gateway = await start()
  const stale = { cookie: 'gateway_session=acme:session-1:wrong' }
  const refused = await gateway.inject({ method: 'GET', url: '/api/sign-in', headers: stale })
  assertRefused(refused, 401, 'UNAUTHORIZED')
  assert.match(setCookies(refused)[0] ?? '', /^gateway_session=; .*Max-Age=0/)
  const state = (await gateway.inject({ method: 'GET', url: '/api/sign-in' })).json()
  assert.deepEqual([state.signedIn, state.session, state.role], [false, null, 'operator'])
})

test('on this machine the operator signs in without a key; from elsewhere nobody does', async () => {
  await using gateway = await start()
  const response = await gateway.inject({ method: 'POST', url: '/api/sign-in' })
  assert.equal(await whoIs(gateway, jar(response)), 'operator of local', 'the session counts elsewhere, too')
  assertRefused(await ask(gateway, 'POST', '/api/sign-in'), 401, 'UNAUTHORIZED')
  assertRefused(await ask(gateway, 'POST', '/api/sign-in', { 'x-api-key': 'gw_live_wrong' }), 401, 'UNAUTHORIZED')
  assertRefused(await ask(gateway, 'POST', '/api/sign-in', jar(response)), 403, 'FORBIDDEN')
})

test('a key goes before the cookie; a cookie of another tenant, session or secret is none', async () => {
  await using gateway = await start()
  const mine = await browser(gateway, (await key(gateway)).apiKey)
  const { apiKey } = await key(gateway, { tenantId: 'beta' })
  assert.equal(await whoIs(gateway, { ...mine, 'x-api-key': apiKey }), 'owner of beta')
  const value = (mine.cookie as string).replace('gateway_session=', '')
  const [, sessionId, secret] = value.split(':')
  for (const wrong of [
    `beta:${sessionId}:${secret}`,
    `nobody:${sessionId}:${secret}`,
    `acme:${sessionId}:${secret}x`,
    `acme:${sessionId}:${secret}:x`,
    `acme:${sessionId}:${secret}:`,
    `acme:${sessionId}`,
    'acme',
    ':',
    '',
  ])
    assert.equal(await whoIs(gateway, { cookie: `gateway_session=${wrong}` }), 'UNAUTHORIZED', wrong)
})

test('a caller has at most 20 sessions: the oldest ends for one more, and those of others stay', async () => {
  await using gateway = await start()
  const { apiKey } = await key(gateway, { role: 'viewer' })
  const owner = await browser(gateway, (await key(gateway)).apiKey)
  const browsers = []
  for (let i = 0; i < 21; i++) {
    gateway.clock.advance(1)
    browsers.push(await browser(gateway, apiKey))
  }
  const [first, second] = browsers as [Record<string, string>, Record<string, string>]
  assert.deepEqual(
    [await whoIs(gateway, first), await whoIs(gateway, second), await whoIs(gateway, owner)],
    ['UNAUTHORIZED', 'viewer of acme', 'owner of acme'],
  )
})

test('the audit trail names the session that a change came by', async () => {
  await using gateway = await start()
  const mine = await browser(gateway, (await key(gateway)).apiKey)
  const { sessionId } = (await ask(gateway, 'GET', '/api/sign-in', mine)).json().session
  await ask(gateway, 'POST', '/api/keys', mine, { role: 'viewer' })
  const record = (await gateway.audit('acme')).findLast(({ tool }) => tool === 'keys.make') as { principal: { session: string } }
  assert.equal(record.principal.session, sessionId)
})
