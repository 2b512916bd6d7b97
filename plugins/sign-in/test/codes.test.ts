import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, assertRefused, browser, jar, key, PAGE, start, whoIs } from './support.ts'

const split = (code: string): [string, string] => [code.slice(0, code.lastIndexOf(':')), code.slice(code.lastIndexOf(':') + 1)]

test('a code signs one browser in as who made it, once, within two minutes', async () => {
  await using gateway = await start()
  const made = await gateway.inject({ method: 'POST', url: '/api/sign-in/codes' })
  const { code, path, expiresAt } = made.json()
  assert.deepEqual([made.status, path, expiresAt], [201, `/dashboard/#code=${code}`, '2026-01-05T09:02:00.000Z'])
  const [tenantId, secret] = split(code)
  const exchange = (to = tenantId, bearer = secret) =>
    ask(gateway, 'POST', `/api/sign-in/code/${to}`, { authorization: `Bearer ${bearer}`, ...PAGE })
  assertRefused(await exchange(tenantId, `${secret}x`), 401, 'UNAUTHORIZED')
  assertRefused(await exchange('acme'), 401, 'UNAUTHORIZED')
  const answers = await Promise.all([exchange(), exchange()])
  assert.equal(answers.filter(({ status }) => status === 201).length, 1, 'of two at once one')
  const good = answers.find(({ status }) => status === 201)
  assert.equal(await whoIs(gateway, jar(good as (typeof answers)[0])), 'operator of local')
  const refused = await exchange()
  assertRefused(refused, 401, 'UNAUTHORIZED')
  assert.equal(refused.headers['www-authenticate'], 'Bearer realm="gateway"', 'no browser asks its user for a password')
})

test('a code of a key makes the key’s session, which ends with the key', async () => {
  await using gateway = await start()
  const { apiKey, keyId } = await key(gateway, { role: 'viewer' })
  const { code } = (await ask(gateway, 'POST', '/api/sign-in/codes', { 'x-api-key': apiKey })).json()
  const [tenantId, secret] = split(code)
  const mine = jar(await ask(gateway, 'POST', `/api/sign-in/code/${tenantId}`, { authorization: `Bearer ${secret}` }))
  assert.equal(await whoIs(gateway, mine), 'viewer of acme')
  await gateway.tenants.revokeKey('acme', keyId)
  assert.equal(await whoIs(gateway, mine), 'UNAUTHORIZED')
})

test('after two minutes a code is none; who is signed in makes none', async () => {
  await using gateway = await start()
  const { code } = (await gateway.inject({ method: 'POST', url: '/api/sign-in/codes' })).json()
  gateway.clock.advance(120)
  assertRefused(await ask(gateway, 'POST', '/api/sign-in/code/local', { authorization: `Bearer ${split(code)[1]}` }), 401, 'UNAUTHORIZED')
  const mine = await browser(gateway, (await key(gateway)).apiKey)
  assertRefused(await ask(gateway, 'POST', '/api/sign-in/codes', mine), 403, 'FORBIDDEN')
})
