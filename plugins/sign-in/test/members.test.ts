import assert from 'node:assert/strict'
import { test } from 'node:test'
import entitlements from '@gateway/plugin-entitlements'
import type { TestGateway } from '@gateway/testing'
import { ADA, faultOf, form, signInAs, startWithProviders } from './provider-support.ts'
import { ask, assertRefused, browser, type Headers, jar, key, start, whoIs } from './support.ts'

const BOB = { sub: 'bob', claims: { email: 'bob@example.com', email_verified: true, name: 'Bob' } }

async function adminOf(gateway: TestGateway, role = 'owner'): Promise<Headers> {
  return { 'x-api-key': (await key(gateway, { role })).apiKey }
}
async function invite(gateway: TestGateway, admin: Headers, body: object = {}) {
  const response = await ask(gateway, 'POST', '/api/invitations', admin, body)
  assert.equal(response.status, 201, response.body)
  const { invitation, path, url } = response.json()
  return {
    invitationId: invitation.invitationId as string,
    secret: String(path).replace('/dashboard/#invitation=', ''),
    url: url as string,
  }
}
const names = async (gateway: TestGateway) => (await gateway.audit('acme')).map(({ name }) => name)

test('who signs in through a provider with an invitation gets its tenant and role, once, and later signs in without it', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const admin = await adminOf(gateway)
  const { secret, url } = await invite(gateway, admin, { role: 'admin' })
  assert.equal(url, `http://localhost/dashboard/#invitation=${secret}`)
  const shown = await form(gateway, '/oauth/invitation', { invitation: secret })
  assert.deepEqual([shown.json().tenantId, shown.json().role], ['acme', 'admin'])
  const mine = jar(await signInAs(all, BOB, { invitation: secret }))
  assert.equal(await whoIs(gateway, mine), 'admin of acme')
  assert.match(faultOf(await signInAs(all, ADA, { invitation: secret })), /invitation is not valid/)
  assert.equal((await form(gateway, '/oauth/invitation', { invitation: secret })).status, 403)
  assert.equal(await whoIs(gateway, jar(await signInAs(all, BOB))), 'admin of acme')
  const [member] = (await ask(gateway, 'GET', '/api/members', admin)).json().members
  assert.deepEqual([member.email, member.role, member.provider, member.source], ['bob@example.com', 'admin', 'company', 'invitation'])
  assert.equal((await ask(gateway, 'GET', '/api/invitations', admin)).json().count, 0)
  const written = await names(gateway)
  for (const name of ['invitation.made', 'invitation.accepted', 'session.begun']) assert.ok(written.includes(name), written.join())
})

test('an invitation of an address is for the person who has it verified', async () => {
  await using all = await startWithProviders()
  const { secret } = await invite(all.gateway, await adminOf(all.gateway), { email: 'BOB@example.com' })
  assert.match(faultOf(await signInAs(all, ADA, { invitation: secret })), /another e-mail address/)
  const unverified = { sub: 'eve', claims: { email: 'bob@example.com', email_verified: false } }
  assert.match(faultOf(await signInAs(all, unverified, { invitation: secret })), /another e-mail address/)
  assert.equal((await signInAs(all, BOB, { invitation: secret })).status, 303)
})

test('an invitation that was revoked, has expired, or is changed admits nobody', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const admin = await adminOf(gateway)
  const revoked = await invite(gateway, admin)
  assert.equal((await ask(gateway, 'DELETE', `/api/invitations/${revoked.invitationId}`, admin)).status, 200)
  assertRefused(await ask(gateway, 'DELETE', `/api/invitations/${revoked.invitationId}`, admin), 404, 'NOT_FOUND')
  const open = await invite(gateway, admin, { days: 1 })
  await gateway.tenants.create({ name: 'beta', plan: 'team', tenantId: 'beta' })
  for (const secret of [revoked.secret, `${open.secret}x`, open.secret.replace('acme~', 'beta~'), 'acme~', '~', 'x'])
    assert.match(faultOf(await signInAs(all, BOB, { invitation: secret })), /invitation is not valid/, secret)
  gateway.clock.advance(86_400)
  assert.match(faultOf(await signInAs(all, BOB, { invitation: open.secret })), /invitation is not valid/)
  assert.ok((await names(gateway)).includes('invitation.revoked'))
})

test('of two people who accept an invitation at once, one is admitted', async () => {
  await using all = await startWithProviders()
  const { secret } = await invite(all.gateway, await adminOf(all.gateway))
  const answers = await Promise.all([signInAs(all, BOB, { invitation: secret }), signInAs(all, ADA, { invitation: secret })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 403])
})

test('an admin invites and manages people of at most the own role; others neither see nor change members', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const [owner, admin, member] = [await adminOf(gateway), await adminOf(gateway, 'admin'), await adminOf(gateway, 'member')]
  assertRefused(await ask(gateway, 'POST', '/api/invitations', admin, { role: 'owner' }), 403, 'FORBIDDEN')
  for (const [method, url] of [
    ['POST', '/api/invitations'],
    ['GET', '/api/invitations'],
    ['GET', '/api/members'],
  ] as const)
    assertRefused(await ask(gateway, method, url, member, method === 'POST' ? {} : undefined), 403, 'FORBIDDEN')
  await signInAs(all, BOB, { invitation: (await invite(gateway, owner, { role: 'owner' })).secret })
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', owner)).json().members
  assertRefused(await ask(gateway, 'PATCH', `/api/members/${memberId}`, admin, { role: 'viewer' }), 403, 'FORBIDDEN')
  assertRefused(await ask(gateway, 'DELETE', `/api/members/${memberId}`, admin), 403, 'FORBIDDEN')
  assertRefused(await ask(gateway, 'PATCH', '/api/members/nobody', owner, { role: 'viewer' }), 404, 'NOT_FOUND')
  assertRefused(await ask(gateway, 'POST', '/api/invitations', owner, { role: 'operator' }), 400, 'BAD_REQUEST')
})

test('keys of a removed member, keys made with those, and their waiting invitations end at the next call; keys of others stay', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const admin = await adminOf(gateway)
  const { secret } = await invite(gateway, admin, { role: 'admin' })
  const bob = jar(await signInAs(all, BOB, { invitation: secret }))
  const make = async (as: Headers): Promise<Headers> => {
    const response = await ask(gateway, 'POST', '/api/keys', as, { role: 'admin', label: 'agent' })
    assert.equal(response.status, 201, response.body)
    return { 'x-api-key': response.json().apiKey }
  }
  const first = await make(bob)
  const second = await make(first)
  const ofAnother = await make(admin)
  const invitations = [await invite(gateway, bob), await invite(gateway, second)]
  const kept = await invite(gateway, admin)
  for (const key of [first, second, ofAnother]) assert.equal(await whoIs(gateway, key), 'admin of acme')
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', admin)).json().members
  const { keys } = (await ask(gateway, 'GET', '/api/keys', admin)).json()
  assert.equal(keys.filter(({ madeBy }: { madeBy?: string }) => madeBy === `member:${memberId}`).length, 1)
  const removed = await ask(gateway, 'DELETE', `/api/members/${memberId}`, admin)
  assert.deepEqual(removed.json(), { memberId, keys: 2 })
  for (const ended of [bob, first, second]) assert.equal(await whoIs(gateway, ended), 'UNAUTHORIZED')
  for (const standing of [ofAnother, admin]) assert.match(await whoIs(gateway, standing), / of acme$/)
  for (const { secret } of invitations) assert.equal((await form(gateway, '/oauth/invitation', { invitation: secret })).status, 403)
  assert.equal((await form(gateway, '/oauth/invitation', { invitation: kept.secret })).status, 200)
  assert.equal((await names(gateway)).filter((name) => name === 'key.revoked').length, 2)
})

test('keys of a person whom no rule admits any more end with the next attempt to sign in', async () => {
  await using all = await startWithProviders([{ provider: 'company', group: 'ops', tenantId: 'acme', role: 'admin' }])
  const { gateway } = all
  const ada = jar(await signInAs(all, ADA))
  const made = (await ask(gateway, 'POST', '/api/keys', ada, { role: 'member' })).json()
  const key = { 'x-api-key': made.apiKey }
  assert.equal(await whoIs(gateway, key), 'member of acme')
  assert.notEqual(faultOf(await signInAs(all, { ...ADA, claims: { ...ADA.claims, groups: ['staff'] } })), '')
  assert.equal(await whoIs(gateway, key), 'UNAUTHORIZED')
})

test('a changed role holds from the next call on, and a removed member is signed out everywhere', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const owner = await adminOf(gateway)
  const mine = jar(await signInAs(all, BOB, { invitation: (await invite(gateway, owner, { role: 'member' })).secret }))
  const [{ memberId }] = (await ask(gateway, 'GET', '/api/members', owner)).json().members
  assert.equal((await ask(gateway, 'PATCH', `/api/members/${memberId}`, owner, { role: 'viewer' })).json().member.role, 'viewer')
  assert.equal(await whoIs(gateway, mine), 'viewer of acme')
  assert.equal((await ask(gateway, 'DELETE', `/api/members/${memberId}`, owner)).status, 200)
  assert.equal(await whoIs(gateway, mine), 'UNAUTHORIZED')
  assert.deepEqual((await gateway.documents('acme'))['sign-in.sessions'], [])
  assert.equal((await signInAs(all, BOB)).status, 403)
  const written = await names(gateway)
  assert.ok(written.includes('member.changed') && written.includes('member.removed'), written.join())
})

test('a member of several tenants comes to the wanted one, else to that of the last sign-in', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const acme = await adminOf(gateway)
  const beta = { 'x-api-key': (await key(gateway, { tenantId: 'beta' })).apiKey }
  await signInAs(all, BOB, { invitation: (await invite(gateway, acme)).secret })
  gateway.clock.advance(1)
  await signInAs(all, BOB, { invitation: (await invite(gateway, beta)).secret })
  const comes = async (fields?: Record<string, string>) => whoIs(gateway, jar(await signInAs(all, BOB, fields)))
  assert.equal(await comes(), 'member of beta')
  gateway.clock.advance(1)
  assert.equal(await comes({ tenant: 'acme' }), 'member of acme')
  gateway.clock.advance(1)
  assert.equal(await comes(), 'member of acme')
  assert.equal((await signInAs(all, BOB, { tenant: 'nobody' })).status, 403)
})

test('an invitation takes a seat of the plan, as keys and members do', async () => {
  await using all = await startWithProviders([], { plugins: [entitlements] })
  const { gateway } = all
  await gateway.tenants.create({ name: 'small', plan: 'free', tenantId: 'small' })
  const { apiKey } = await gateway.tenants.issueKey('small', { role: 'owner', environment: 'live' })
  const make = () => ask(gateway, 'POST', '/api/invitations', { 'x-api-key': apiKey }, {})
  const first = await make()
  assert.equal(first.status, 201)
  assertRefused(await make(), 403, 'PLAN_LIMIT_REACHED')
  const seats = async () => (await ask(gateway, 'GET', '/api/entitlements', { 'x-api-key': apiKey })).json().limits.seats.used
  assert.equal(await seats(), 2)
  await ask(gateway, 'DELETE', `/api/invitations/${first.json().invitation.invitationId}`, { 'x-api-key': apiKey })
  assert.equal(await seats(), 1)
  await gateway.tenants.issueKey('small', { role: 'member', environment: 'live' })
  assertRefused(await make(), 403, 'PLAN_LIMIT_REACHED')
})

test('at most 100 invitations of a tenant wait', async () => {
  await using all = await startWithProviders()
  const owner = await adminOf(all.gateway)
  for (let i = 0; i < 100; i++) await invite(all.gateway, owner)
  assertRefused(await ask(all.gateway, 'POST', '/api/invitations', owner, {}), 409, 'CONFLICT')
})

test('without a provider an invitation is accepted once for an API key; with one it is not', async () => {
  await using gateway = await start()
  const { secret } = await invite(gateway, await adminOf(gateway), { role: 'viewer', email: 'bob@example.com' })
  const accepted = await form(gateway, '/oauth/invitation/key', { invitation: secret })
  assert.equal(accepted.status, 201, accepted.body)
  assert.equal(await whoIs(gateway, { 'x-api-key': accepted.json().apiKey }), 'viewer of acme')
  assert.equal((await form(gateway, '/oauth/invitation/key', { invitation: secret })).status, 403)
  assert.equal((await gateway.tenants.listKeys('acme')).find(({ role }) => role === 'viewer')?.label, 'bob@example.com')
  await using all = await startWithProviders()
  const other = await invite(all.gateway, await adminOf(all.gateway))
  assert.equal((await form(all.gateway, '/oauth/invitation/key', { invitation: other.secret })).status, 409)
})

test('who is in several tenants lists them, is in the last one after a sign-in, and switches by a sign-in that names one', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const acme = await invite(gateway, await adminOf(gateway), { role: 'admin' })
  const beta = await invite(gateway, { 'x-api-key': (await key(gateway, { tenantId: 'beta' })).apiKey }, { role: 'viewer' })
  const tenantsOf = async (headers: Headers) => (await ask(gateway, 'GET', '/oauth/tenants', headers)).json()
  const first = await signInAs(all, BOB, { invitation: acme.secret })
  assert.equal(first.headers.location, '/dashboard/')
  assert.deepEqual(await tenantsOf(jar(first)), { provider: 'company', tenants: [{ tenantId: 'acme', role: 'admin', current: true }] })
  gateway.clock.advance(60)
  await signInAs(all, BOB, { invitation: beta.secret })
  gateway.clock.advance(60)
  const again = await signInAs(all, BOB)
  assert.equal(again.headers.location, '/dashboard/#tenant')
  assert.equal(await whoIs(gateway, jar(again)), 'viewer of beta')
  assert.deepEqual((await tenantsOf(jar(again))).tenants, [
    { tenantId: 'beta', role: 'viewer', current: true },
    { tenantId: 'acme', role: 'admin', current: false },
  ])
  const switched = await signInAs(all, BOB, { tenant: 'acme', return_to: '/dashboard/tasks' })
  assert.equal(switched.headers.location, '/dashboard/tasks')
  assert.equal(await whoIs(gateway, jar(switched)), 'admin of acme')
  assert.equal((await signInAs(all, BOB, { tenant: 'gamma' })).status, 403)
  const { memberId } = (await ask(gateway, 'GET', '/api/members', await adminOf(gateway))).json().members[0]
  const { apiKey } = await key(gateway, { tenantId: 'beta' })
  assert.equal((await ask(gateway, 'DELETE', `/api/members/${memberId}`, { 'x-api-key': apiKey })).status, 200)
  assert.deepEqual((await tenantsOf(jar(switched))).tenants, [{ tenantId: 'acme', role: 'admin', current: true }])
})

test('the tenants of a person are shown to the browser of that person alone', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const { secret } = await invite(gateway, await adminOf(gateway))
  const mine = jar(await signInAs(all, BOB, { invitation: secret }))
  const none = { provider: null, tenants: [] }
  const tenantsOf = async (headers: Headers) => (await ask(gateway, 'GET', '/oauth/tenants', headers)).json()
  assert.deepEqual(await tenantsOf({}), none)
  assert.deepEqual(await tenantsOf({ cookie: `${mine.cookie}x` }), none)
  assert.deepEqual(await tenantsOf(await adminOf(gateway)), none)
  assert.deepEqual(await tenantsOf(await browser(gateway, (await key(gateway)).apiKey)), none)
  await ask(gateway, 'DELETE', '/api/sign-in', mine)
  assert.deepEqual(await tenantsOf(mine), none)
})

test('a change of a role with an updatedAt that is past is refused; a sign-in between leaves it valid', async () => {
  await using all = await startWithProviders()
  const { gateway } = all
  const owner = await adminOf(gateway)
  await signInAs(all, BOB, { invitation: (await invite(gateway, owner, { role: 'member' })).secret })
  const seen = async () => (await ask(gateway, 'GET', '/api/members', owner)).json().members[0]
  const { memberId, updatedAt } = await seen()
  gateway.clock.advance(60)
  await signInAs(all, BOB)
  const change = (role: string, ifUpdatedAt: string) => ask(gateway, 'PATCH', `/api/members/${memberId}`, owner, { role, ifUpdatedAt })
  const { member } = (await change('admin', updatedAt)).json()
  assert.equal(member.role, 'admin')
  assertRefused(await change('viewer', updatedAt), 409, 'CONFLICT')
  assert.deepEqual(await seen(), member)
  assert.equal((await change('viewer', member.updatedAt)).json().member.role, 'viewer')
})
