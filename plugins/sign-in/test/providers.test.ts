import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADA, away, back, faultOf, form, PUBLIC, signInAs, startWithProviders } from './provider-support.ts'
import { ask, jar, PAGE, setCookies, whoIs } from './support.ts'

const STAFF = { provider: 'company', emailDomain: 'example.com', tenantId: 'acme', role: 'member' }

test('a person whom a rule admits signs in through an OpenID provider, and returns to the page where they began', async () => {
  await using all = await startWithProviders([STAFF])
  const { gateway, issuer } = all
  assert.deepEqual((await ask(gateway, 'GET', '/oauth/providers')).json().providers, [
    { id: 'company', name: 'Company' },
    { id: 'hub', name: 'GitHub' },
  ])
  const { authorization, headers } = await away(gateway, { return_to: '/oauth/authorize?client_id=x' })
  const query = new URL(authorization).searchParams
  assert.deepEqual(
    ['response_type', 'redirect_uri', 'scope', 'code_challenge_method'].map((name) => query.get(name)),
    ['code', `${PUBLIC}/oauth/callback/company`, 'openid email profile', 'S256'],
  )
  const done = await back(gateway, { headers }, issuer.decide(authorization, ADA))
  assert.deepEqual([done.status, done.headers.location], [303, '/oauth/authorize?client_id=x'], faultOf(done))
  assert.ok(setCookies(done).some((cookie) => /^gateway_session=.*HttpOnly; SameSite=Strict/.test(cookie)))
  assert.ok(
    setCookies(done).some((cookie) => /^gateway_attempt=;.*Max-Age=0/.test(cookie)),
    'the attempt is over',
  )
  const mine = jar(done)
  assert.equal(await whoIs(gateway, mine), 'member of acme')
  const state = (await ask(gateway, 'GET', '/api/sign-in', mine)).json()
  assert.deepEqual([state.principal.kind, state.principal.label], ['user', 'ada@example.com'])
  const names = (await gateway.audit('acme')).map(({ name }) => name)
  assert.ok(names.includes('member.joined') && names.includes('session.begun'), names.join())
})

test('a person whom nothing admits is refused, and the operator’s trail says so', async () => {
  await using all = await startWithProviders([{ ...STAFF, emailDomain: 'other.example' }])
  const refused = await signInAs(all, ADA)
  assert.equal(refused.status, 403)
  assert.match(faultOf(refused), /no access to this gateway yet/)
  assert.equal(
    setCookies(refused).some((cookie) => cookie.startsWith('gateway_session=')),
    false,
  )
  const record = (await all.gateway.audit('local')).at(-1) as { name: string; decision: string; details: { who: string } }
  assert.deepEqual([record.name, record.decision, record.details.who], ['session.refused', 'FORBIDDEN', 'ada@example.com'])
})

test('a rule compares the provider, the domain of a verified address, a group, or a claim, and the first that holds decides', async () => {
  const rule = (condition: object, role: string) => ({ ...condition, tenantId: 'acme', role })
  await using all = await startWithProviders([
    rule({ provider: 'hub', emailDomain: 'example.com' }, 'owner'),
    rule({ emailDomain: 'ample.com' }, 'owner'),
    rule({ group: 'admins' }, 'owner'),
    rule({ claim: { name: 'tier', value: 'gold' } }, 'admin'),
    rule({ group: 'ops' }, 'viewer'),
    rule({ emailDomain: 'example.com' }, 'member'),
  ])
  const roleOf = async (claims: object) => {
    const done = await signInAs(all, { sub: JSON.stringify(claims), claims: claims as Record<string, unknown> })
    return done.status === 303 ? whoIs(all.gateway, jar(done)) : faultOf(done)
  }
  assert.equal(await roleOf({ ...ADA.claims, tier: ['silver', 'gold'] }), 'admin of acme')
  assert.equal(await roleOf({ ...ADA.claims }), 'viewer of acme')
  assert.equal(await roleOf({ email: 'bob@EXAMPLE.com', email_verified: true }), 'member of acme')
  assert.match(await roleOf({ email: 'eve@example.com', email_verified: false }), /no access/)
  assert.match(await roleOf({ email: 'eve@example.com' }), /no access/, 'an address that nobody verified is nobody’s')
  assert.match(await roleOf({ email: 'eve@sub.example.com', email_verified: true }), /no access/)
})

test('trustEmail takes an address that the provider says nothing about, but never one that it says is not verified', async () => {
  await using all = await startWithProviders([STAFF], { provider: { trustEmail: true } })
  assert.equal((await signInAs(all, { sub: '1', claims: { email: 'a@example.com' } })).status, 303)
  assert.equal((await signInAs(all, { sub: '2', claims: { email: 'b@example.com', email_verified: false } })).status, 403)
})

test('an address that is not in the ID token is read from the user information, of the same person alone', async () => {
  await using all = await startWithProviders([STAFF])
  const userinfo = { email: 'ada@example.com', email_verified: true }
  assert.equal((await signInAs(all, { sub: 'ada', userinfo })).status, 303)
  assert.match(faultOf(await signInAs(all, { sub: 'ada', userinfo: { ...userinfo, sub: 'eve' } })), /somebody else/)
})

test('a rule decides the role anew at each sign-in, and a person whom no rule admits any more is removed', async () => {
  await using all = await startWithProviders([
    { group: 'ops', tenantId: 'acme', role: 'admin' },
    { group: 'staff', tenantId: 'acme', role: 'viewer' },
  ])
  const as = (groups: string[]) => signInAs(all, { sub: 'ada', claims: { groups } })
  const first = jar(await as(['ops']))
  assert.equal(await whoIs(all.gateway, first), 'admin of acme')
  const second = jar(await as(['staff']))
  assert.deepEqual([await whoIs(all.gateway, first), await whoIs(all.gateway, second)], ['viewer of acme', 'viewer of acme'])
  assert.equal((await as([])).status, 403)
  assert.equal(await whoIs(all.gateway, second), 'UNAUTHORIZED')
  assert.ok((await all.gateway.audit('acme')).some(({ name }) => name === 'member.removed'))
})

test('a person signs in with GitHub: the verified primary address, organizations and teams count', async () => {
  const admitted = async (rule: object, claims: Record<string, unknown> = {}) => {
    await using all = await startWithProviders([{ provider: 'hub', ...rule, tenantId: 'acme', role: 'member' }])
    const done = await signInAs(all, { sub: '42', claims }, { provider: 'hub' })
    return done.status === 303 ? await whoIs(all.gateway, jar(done)) : done.status
  }
  assert.equal(await admitted({ emailDomain: 'example.com' }), 'member of acme')
  assert.equal(await admitted({ emailDomain: 'elsewhere.example' }), 403)
  assert.equal(await admitted({ group: 'example-org' }), 'member of acme')
  assert.equal(await admitted({ group: 'example-org/platform' }), 'member of acme')
  assert.equal(await admitted({ emailDomain: 'example.com' }, { verified: false }), 403)
})

test('an ID token that is forged, expired, or meant for another client, sign-in or issuer signs nobody in', async () => {
  await using all = await startWithProviders([STAFF])
  const bad = [
    { tamper: (claims: object) => ({ ...claims, nonce: 'other' }) },
    { tamper: (claims: object) => ({ ...claims, aud: 'other-client' }) },
    { tamper: (claims: object) => ({ ...claims, aud: ['gateway-at-the-issuer', 'other'] }) },
    { tamper: (claims: object) => ({ ...claims, azp: 'other-client' }) },
    { tamper: (claims: object) => ({ ...claims, iss: 'https://evil.example' }) },
    { tamper: (claims: { exp?: number }) => ({ ...claims, exp: (claims.exp ?? 0) - 1_000 }) },
    { tamper: ({ exp: _exp, ...claims }: { exp?: number }) => claims },
    { foreignKey: true },
    { algorithm: 'HS256' as const },
    { algorithm: 'none' as const },
  ]
  for (const one of bad) {
    const refused = await signInAs(all, { ...ADA, ...one } as never)
    assert.equal(refused.status, 403, `${JSON.stringify(one)}: ${faultOf(refused)}`)
  }
  assert.deepEqual((await all.gateway.documents('acme'))['sign-in.sessions'], [])
})

test('mix-up: an answer that names another issuer, or leaves the promised one out, is refused', async () => {
  await using all = await startWithProviders([STAFF])
  const { gateway, issuer } = all
  for (const iss of ['https://evil.example', undefined]) {
    const begun = await away(gateway)
    const answer = issuer.decide(begun.authorization, ADA)
    answer.delete('iss')
    if (iss !== undefined) answer.set('iss', iss)
    assert.match(faultOf(await back(gateway, begun, answer)), /iss must be/)
  }
  const begun = await away(gateway)
  const elsewhere = await back(gateway, begun, issuer.decide(begun.authorization, ADA), 'hub')
  assert.match(faultOf(elsewhere), /not begun in this browser/, 'an attempt is of one provider')
})

test('login CSRF: an answer without the cookie of the attempt, of another state, twice or late signs nobody in', async () => {
  await using all = await startWithProviders([STAFF])
  const { gateway, issuer } = all
  const begun = await away(gateway)
  const other = await away(gateway)
  const answer = issuer.decide(begun.authorization, ADA)
  for (const headers of [{}, other.headers]) assert.match(faultOf(await back(gateway, { headers }, answer)), /not begun in this browser/)
  const doubled = new URLSearchParams(answer)
  doubled.append('state', 'x')
  assert.equal((await back(gateway, begun, doubled)).status, 400)
  assert.equal((await back(gateway, begun, answer)).status, 303)
  assert.match(faultOf(await back(gateway, begun, answer)), /invalid_grant/, 'the provider takes a code once')
  const late = await away(gateway)
  gateway.clock.advance(600)
  assert.equal((await back(gateway, late, issuer.decide(late.authorization, ADA))).status, 400)
})

test('a foreign page begins no sign-in, and a sign-in returns to no foreign page', async () => {
  await using all = await startWithProviders([STAFF])
  const { gateway, issuer } = all
  const begun = async (headers: Record<string, string>) => (await form(gateway, '/oauth/sign-in', { provider: 'company' }, headers)).status
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }])
    assert.equal(await begun(headers as Record<string, string>), 403, JSON.stringify(headers))
  assert.equal(await begun({ origin: PUBLIC }), 200, 'an older browser sends its origin alone')
  assert.equal((await form(gateway, '/oauth/sign-in', { provider: 'nobody' })).status, 400)
  for (const return_to of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/dashboard/../../evil',
    '/api/keys',
    '/dashboard//\\x',
  ]) {
    const begun = await away(gateway, { return_to })
    const { headers } = await back(gateway, begun, issuer.decide(begun.authorization, ADA))
    assert.match(String(headers.location), /^\/dashboard\//, return_to)
  }
})

test('a refusal of the provider is shown as text, and a broken provider is named', async () => {
  await using all = await startWithProviders([STAFF])
  const { gateway, issuer } = all
  const begun = await away(gateway)
  const state = new URL(begun.authorization).searchParams.get('state') as string
  const refused = await back(gateway, begun, new URLSearchParams({ error: '<script>x</script>', state }))
  assert.match(refused.body, /&lt;script&gt;/)
  assert.match(String(refused.headers['content-security-policy']), /default-src 'none'/)
  gateway.clock.advance(3_601)
  issuer.announce({ issuer: 'https://evil.example' })
  const broken = await form(gateway, '/oauth/sign-in', { provider: 'company' })
  assert.equal(broken.status, 502)
  assert.match(broken.json().error, /must name that issuer/)
  issuer.announce({ token_endpoint: 'ftp://x' })
  assert.match((await form(gateway, '/oauth/sign-in', { provider: 'company' })).json().error, /token_endpoint .* must be an https address/)
})

test('a provider that takes its secret in the body alone gets it there', async () => {
  await using all = await startWithProviders([STAFF])
  all.issuer.announce({ token_endpoint_auth_methods_supported: ['client_secret_post'] })
  assert.equal((await signInAs(all, ADA)).status, 303)
})

test('over https the cookies are Secure, and other hosts of the domain cannot set that of the attempt', async () => {
  const { attemptCookie, newAttempt } = await import('../src/rules/attempt.ts')
  const attempt = newAttempt({ provider: 'company', returnTo: '/dashboard/' }, 0)
  assert.match(
    attemptCookie('https://gateway.example', attempt),
    /^__Host-gateway_attempt=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
})

test('a session of a member ends with the tenant’s suspension, after its time, and does not sign in again by itself', async () => {
  await using all = await startWithProviders([STAFF])
  const mine = jar(await signInAs(all, ADA))
  await all.gateway.tenants.suspend('acme')
  assert.equal(await whoIs(all.gateway, mine), 'TENANT_SUSPENDED')
  assert.equal((await signInAs(all, ADA)).status, 403)
  await all.gateway.tenants.reactivate('acme')
  all.gateway.clock.advance(12 * 3_600)
  assert.equal(await whoIs(all.gateway, { ...mine, ...PAGE }), 'UNAUTHORIZED')
})
