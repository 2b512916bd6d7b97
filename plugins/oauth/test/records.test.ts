import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestGateway } from '@gateway/testing'
import { ask, codeFor, flow, form, keyOf, pkce, refresh, start, tokensFor } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

interface Record {
  readonly name: string
  readonly decision: string
  readonly principal: { readonly id: string; readonly role: string }
  readonly address?: string
  readonly details: { readonly clientId: string; readonly grantId?: string; readonly by: string; readonly scopes?: string[] }
}
const lastOf = async (tenantId: string) => (await gateway.audit(tenantId)).at(-1) as unknown as Record

test('the audit trail of the tenant has every token that is given and renewed, with client, scopes, caller and address', async () => {
  const person = await flow(gateway, { tenantId: 'one' })
  const tokens = await tokensFor(person)
  const issued = await lastOf('one')
  assert.deepEqual(
    [issued.name, issued.decision, issued.principal.id, issued.principal.role, issued.address],
    ['oauth.issued', 'ok', `key:${person.keyId}`, 'member', '127.0.0.1'],
  )
  assert.deepEqual(
    [issued.details.clientId, issued.details.by, issued.details.scopes],
    [person.clientId, 'authorization_code', ['read', 'work']],
  )
  await refresh(gateway, person.clientId, tokens.refresh_token, { scope: 'read' })
  const refreshed = await lastOf('one')
  assert.deepEqual(
    [refreshed.name, refreshed.details.grantId, refreshed.details.scopes],
    ['oauth.refreshed', issued.details.grantId, ['read']],
  )
  const { keyId, apiKey } = await keyOf(gateway, { tenantId: 'one' })
  await form(gateway, '/oauth/token', { grant_type: 'client_credentials', client_id: keyId, client_secret: apiKey })
  assert.equal((await lastOf('one')).details.by, 'client_credentials')
  assert.ok(!JSON.stringify(await gateway.audit('one')).includes(tokens.refresh_token.split('~').at(-1) as string), 'no secret')
})

test('the audit trail has replays, refusals of a known code or grant, and grants that their client ended', async () => {
  const person = await flow(gateway, { tenantId: 'two' })
  const fields = await codeFor(person)
  await form(gateway, '/oauth/token', { ...fields, code_verifier: pkce().verifier })
  assert.deepEqual([(await lastOf('two')).name, (await lastOf('two')).decision], ['oauth.denied', 'invalid_grant'])
  await form(gateway, '/oauth/token', fields)
  await form(gateway, '/oauth/token', fields)
  assert.deepEqual([(await lastOf('two')).name, (await lastOf('two')).details.by], ['oauth.replayed', 'authorization_code'])
  const tokens = await tokensFor(person)
  await refresh(gateway, person.clientId, tokens.refresh_token, { scope: 'members' })
  assert.deepEqual([(await lastOf('two')).name, (await lastOf('two')).decision], ['oauth.denied', 'invalid_scope'])
  await refresh(gateway, person.clientId, tokens.refresh_token)
  await refresh(gateway, person.clientId, tokens.refresh_token)
  assert.deepEqual([(await lastOf('two')).name, (await lastOf('two')).details.by], ['oauth.replayed', 'refresh_token'])
  const next = await tokensFor(person)
  await form(gateway, '/oauth/revoke', { token: next.refresh_token })
  assert.deepEqual([(await lastOf('two')).name, (await lastOf('two')).details.by], ['oauth.revoked', 'client'])
})

test('a client that asks too often, and an address with too many refused requests, wait; others at the endpoint do not', async () => {
  await using limited = await start({ GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }, [], { tokenRequestsPerMinute: 3, tokenFailuresPerMinute: 5 })
  const token = (client_id: string, address: string) =>
    form(limited, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x', client_id }, { 'x-forwarded-for': address })
  for (let i = 0; i < 3; i++) assert.equal((await token('a', '10.0.0.1')).status, 400)
  const refused = await token('a', '10.0.0.1')
  assert.deepEqual([refused.status, refused.json().error, refused.headers['retry-after']], [429, 'temporarily_unavailable', '60'])
  assert.equal((await token('b', '10.0.0.1')).status, 400)
  assert.equal((await token('a', '10.0.0.2')).status, 400)
  assert.equal((await token('c', '10.0.0.1')).status, 400)
  assert.equal((await token('d', '10.0.0.1')).status, 429, 'five requests of the address were refused')
  limited.clock.advance(60)
  for (let i = 0; i < 3; i++) assert.equal((await token('a', '10.0.0.1')).status, 400)
  limited.clock.advance(-3_600)
  assert.equal((await token('a', '10.0.0.1')).status, 400, 'nobody waits for the length of a step of the clock')
})

test('a terminal that waits for its person does not count as failing', async () => {
  await using limited = await start({}, [], { tokenFailuresPerMinute: 2 })
  const { device_code } = (await form(limited, '/oauth/device_authorization', { client_id: 'gateway-cli' })).json()
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  for (let i = 0; i < 5; i++) {
    const { error } = (await form(limited, '/oauth/token', { grant_type, device_code, client_id: 'gateway-cli' })).json()
    assert.match(error, /authorization_pending|slow_down/)
  }
  assert.equal((await ask(limited, 'GET', '/oauth/device')).status, 200)
})

test('one address cannot use up the device logins or the registrations of all others', async () => {
  const limits = { devicesPerAddress: 3, clientsPerAddress: 2 }
  await using limited = await start({ GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }, [], limits)
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const device = (address: string) => form(limited, '/oauth/device_authorization', { client_id: 'gateway-cli' }, from(address))
  const metadata = JSON.stringify({ client_name: 'Example client', redirect_uris: ['https://client.example/callback'] })
  const client = (address: string) =>
    ask(limited, 'POST', '/oauth/register', { 'content-type': 'application/json', ...from(address) }, metadata)
  for (const [begin, status, share, seconds] of [
    [device, 200, 3, 600],
    [client, 201, 2, 3_600],
  ] as const) {
    for (let i = 0; i < share; i++) assert.equal((await begin('10.0.0.1')).status, status)
    const refused = await begin('10.0.0.1')
    assert.deepEqual(
      [refused.status, refused.json().error, refused.headers['retry-after']],
      [429, 'temporarily_unavailable', `${seconds}`],
      refused.body,
    )
    assert.equal((await begin('10.0.0.2')).status, status)
    limited.clock.advance(seconds)
    assert.equal((await begin('10.0.0.1')).status, status)
  }
})
