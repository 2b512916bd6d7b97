import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Principal } from '@gateway/sdk'
import { SignJWT } from 'jose'
import { type AccessFixture, ADMIN, accessFixture, LOCAL, SESSION_SECRET } from './fixture.ts'

type Headers = Readonly<Record<string, string | string[]>>

describe('the credential of a request', () => {
  let fixture: AccessFixture
  /** Per kind, in the documented order: the way to send it, a valid value, the resulting caller. */
  let kinds: { readonly name: string; readonly send: (value: string) => Headers; readonly good: string; readonly is: string }[]
  before(async () => {
    fixture = await accessFixture({ GATEWAY_FAILED_LOGIN_LIMIT: '1000000' })
    await fixture.tenant('acme')
    const { apiKey, keyId } = await fixture.keys.issue({ tenantId: 'acme', role: 'viewer', environment: 'live' })
    const token = await new SignJWT({ sub: 'ann', tenantId: 'acme', role: 'member' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(new Date(fixture.clock.now() + 60_000))
      .sign(new TextEncoder().encode(SESSION_SECRET))
    kinds = [
      { name: 'API key', send: (value) => ({ 'x-api-key': value }), good: apiKey, is: `key:${keyId}` },
      { name: 'Bearer', send: (value) => ({ authorization: `Bearer ${value}` }), good: token, is: 'ann' },
      { name: 'local token', send: (value) => ({ 'x-gateway-local-token': value }), good: LOCAL, is: 'operator' },
      { name: 'cookie', send: (value) => ({ cookie: `svc_token=${value}` }), good: token, is: 'ann' },
    ]
  })
  after(() => fixture.dispose())
  const who = async (headers: Headers): Promise<string> => {
    const found = await fixture.who(headers)
    return typeof found === 'string' ? found : found.id
  }

  it('of several, the first in the documented order decides, right or wrong: API key, Bearer, local token, cookie', async () => {
    for (const [i, first] of kinds.entries()) {
      for (const second of kinds.slice(i + 1)) {
        const what = `${first.name} before ${second.name}`
        assert.equal(await who({ ...second.send(second.good), ...first.send(first.good) }), first.is, what)
        assert.equal(await who({ ...second.send('wrong'), ...first.send(first.good) }), first.is, `${what}, which is wrong`)
        assert.equal(await who({ ...second.send(second.good), ...first.send('wrong') }), 'UNAUTHORIZED', `a wrong ${what}`)
        assert.equal(await who({ ...second.send(second.good), ...first.send('') }), 'UNAUTHORIZED', `an empty ${what}`)
      }
    }
  })

  it('that is wrong, empty, blank or repeated is refused, also of a local request: never taken for none', async () => {
    for (const { name, send, good } of kinds) {
      for (const value of ['', ' ', 'wrong', `${good}x`, `x${good}`, good.toUpperCase(), `${good}, ${good}`]) {
        assert.equal(await who(send(value)), 'UNAUTHORIZED', `${name} ${JSON.stringify(value)}`)
      }
      const repeated = Object.fromEntries(Object.entries(send(good)).map(([header, value]) => [header, [value, value].flat()]))
      if (name !== 'cookie') assert.equal(await who(repeated), 'UNAUTHORIZED', `${name} twice`)
    }
    assert.equal(await who({ 'x-api-key': [] }), 'UNAUTHORIZED')
  })

  it('Bearer is written in any case, with any number of blanks before one token', async () => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR    '])
      assert.equal(await who({ authorization: `${scheme}${LOCAL}` }), 'operator', scheme)
    for (const value of [
      'Bearer',
      'Bearer ',
      `Bearer${LOCAL}`,
      `Bearer\t${LOCAL}`,
      `Bearer ${LOCAL} x`,
      ` Bearer ${LOCAL}`,
      `Token ${LOCAL}`,
      `Basic ${LOCAL}`,
      LOCAL,
    ]) {
      assert.equal(await who({ authorization: value }), 'UNAUTHORIZED', JSON.stringify(value))
    }
  })

  it('a Bearer token is the local token, an API key or a session; none of the others is good in another’s place', async () => {
    const session = kinds[1]?.good ?? ''
    const key = kinds[0]?.good ?? ''
    assert.equal(await who({ authorization: `Bearer ${LOCAL}` }), 'operator')
    assert.equal(await who({ authorization: `Bearer ${key}` }), kinds[0]?.is)
    for (const headers of [
      { authorization: `Bearer ${ADMIN}` },
      { 'x-api-key': session },
      { 'x-api-key': LOCAL },
      { 'x-gateway-local-token': session },
      { 'x-gateway-local-token': ADMIN },
      { cookie: `svc_token=${LOCAL}` },
      { cookie: `svc_token=${key}` },
    ]) {
      assert.equal(await who(headers), 'UNAUTHORIZED', Object.keys(headers)[0])
    }
    assert.equal(await who({ 'x-admin-token': 'wrong' }), 'operator', 'the admin token is asked for by its own routes alone')
  })

  it('the session cookie is found among others by its whole name; without it a cookie is no credential', async () => {
    const session = kinds[3]?.good ?? ''
    for (const cookie of [
      `svc_token=${session}`,
      `a=1; svc_token=${session}`,
      `svc_token=${session}; a=1`,
      `a=1;svc_token=${session};b=2`,
    ]) {
      assert.equal(await who({ cookie }), 'ann', cookie.slice(0, 20))
    }
    for (const cookie of ['', 'theme=dark', `xsvc_token=${session}`, `svc_tokens=${session}`, `a=svc_token=${session}`]) {
      assert.equal(await who({ cookie }), 'operator', cookie.slice(0, 20))
    }
    assert.equal(await who({ cookie: `svc_token=; svc_token=${session}` }), 'UNAUTHORIZED', 'of two the first counts')
  })

  it('a refusal is told to the audit trail, with its means', async () => {
    const known = fixture.refusals.length
    for (const { send } of kinds) await who(send('wrong'))
    assert.deepEqual(
      fixture.refusals.slice(known),
      ['api-key', 'jwt', 'local-token', 'jwt'].map((means) => ({ address: '127.0.0.1', means, code: 'UNAUTHORIZED' })),
    )
  })
})

describe('without what a credential needs on the server', () => {
  it('sessions, the local token and the admin token are refused', async () => {
    const fixture = await accessFixture({ GATEWAY_JWT_SECRET: '', GATEWAY_LOCAL_TOKEN: '', ADMIN_API_TOKEN: '' })
    try {
      for (const value of ['', 'undefined', 'x']) {
        for (const headers of [
          { authorization: `Bearer ${value}` },
          { 'x-gateway-local-token': value },
          { cookie: `svc_token=${value}` },
        ]) {
          assert.equal(await fixture.who(headers), 'UNAUTHORIZED')
        }
        assert.equal(await fixture.who({ 'x-admin-token': value }, 'admin'), 'ADMIN_DISABLED')
      }
    } finally {
      await fixture.dispose()
    }
  })
})

describe('a right credential', () => {
  it('passes at once whatever others at its address sent; one stale credential stops nobody, and only guesses wait', async () => {
    const fixture = await accessFixture({ GATEWAY_FAILED_LOGIN_LIMIT: '5', GATEWAY_TRUSTED_PROXIES: '127.0.0.1' })
    try {
      await fixture.tenant('acme')
      const { apiKey } = await fixture.keys.issue({ tenantId: 'acme', role: 'member', environment: 'live' })
      for (let i = 0; i < 100; i++) assert.equal(await fixture.who({ 'x-api-key': 'stale' }), 'UNAUTHORIZED')
      for (let i = 0; i < 4; i++) assert.equal(await fixture.who({ 'x-api-key': `guess ${i}` }), 'UNAUTHORIZED')
      assert.equal(await fixture.who({ 'x-api-key': 'guess 4' }), 'RATE_LIMITED')
      assert.equal(await fixture.who({ authorization: 'Bearer guess' }), 'RATE_LIMITED')
      const right: Headers[] = [{ 'x-api-key': apiKey }, { authorization: `Bearer ${apiKey}` }, { 'x-gateway-local-token': LOCAL }]
      for (const headers of right) assert.equal(typeof (await fixture.who(headers)), 'object', Object.keys(headers)[0])
      assert.equal(typeof (await fixture.who({ 'x-admin-token': ADMIN }, 'admin')), 'object')
      const another = { 'x-forwarded-for': '198.51.100.1' }
      assert.equal(await fixture.who({ ...another, 'x-api-key': 'guess 5' }), 'UNAUTHORIZED', 'a trusted proxy tells who asks')
      assert.equal(fixture.refusals.at(-1)?.address, '198.51.100.1')
    } finally {
      await fixture.dispose()
    }
  })
})

describe('a session token', () => {
  it('of a tenant that does not exist is refused, from its creation on it is not', async () => {
    const fixture = await accessFixture()
    try {
      const token = await new SignJWT({ sub: 'ann', tenantId: 'later', role: 'owner' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(new Date(fixture.clock.now() + 60_000))
        .sign(new TextEncoder().encode(SESSION_SECRET))
      const ways: Headers[] = [{ authorization: `Bearer ${token}` }, { cookie: `svc_token=${token}` }]
      for (const headers of ways) assert.equal(await fixture.who(headers), 'UNAUTHORIZED')
      await fixture.tenant('later')
      for (const headers of ways) assert.equal(typeof (await fixture.who(headers)), 'object')
    } finally {
      await fixture.dispose()
    }
  })
})

describe('the operator’s routes', () => {
  let fixture: AccessFixture
  before(async () => {
    fixture = await accessFixture({ GATEWAY_FAILED_LOGIN_LIMIT: '5' })
  })
  after(() => fixture.dispose())
  const far = { peerAddress: '10.0.0.1' }
  const admin = (over: Headers = {}): Headers => ({ 'x-admin-token': ADMIN, ...over })
  const id = (found: Principal | string): string => (typeof found === 'string' ? found : found.id)

  it('take the admin token, whole and once, from anywhere; other credentials beside it do not count', async () => {
    assert.equal(id(await fixture.who(admin({ 'x-api-key': 'wrong', authorization: 'Bearer wrong' }), 'admin', far)), 'admin')
    for (const value of ['', `${ADMIN} `, ADMIN.slice(1), [ADMIN, ADMIN]]) {
      assert.equal(await fixture.who({ 'x-admin-token': value }, 'admin'), 'UNAUTHORIZED', String(value))
    }
    assert.equal(await fixture.who({ authorization: `Bearer ${ADMIN}` }, 'admin'), 'UNAUTHORIZED')
    fixture.clock.advance(60)
  })

  it('that show a key need local trust besides: a direct local request, or the local token', async () => {
    const need = 'admin-and-local'
    assert.equal(id(await fixture.who(admin(), need)), 'admin')
    assert.equal(id(await fixture.who(admin({ 'x-gateway-local-token': LOCAL }), need, far)), 'admin')
    assert.equal(id(await fixture.who(admin({ authorization: `Bearer ${LOCAL}` }), need, far)), 'admin')
    assert.equal(
      id(await fixture.who(admin({ authorization: 'Bearer of-another' }), need)),
      'admin',
      'of a local request it is not asked for',
    )
    assert.equal(await fixture.who(admin(), need, far), 'FORBIDDEN')
    assert.equal(await fixture.who(admin({ 'x-forwarded-for': '127.0.0.1' }), need), 'FORBIDDEN')
    assert.equal(await fixture.who({ 'x-gateway-local-token': LOCAL }, need), 'UNAUTHORIZED', 'local trust alone does not do')
    for (const value of ['', 'wrong', [LOCAL, LOCAL]]) {
      assert.equal(
        await fixture.who(admin({ 'x-gateway-local-token': value }), need),
        'UNAUTHORIZED',
        `local, with the token ${String(value)}`,
      )
    }
    fixture.clock.advance(60)
  })

  it('count a wrong token of either kind as a failed attempt', async () => {
    for (const headers of [
      { 'x-admin-token': 'wrong' },
      admin({ 'x-gateway-local-token': 'wrong' }),
      admin({ authorization: 'Bearer wrong' }),
    ]) {
      const guess = (i: number) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value.replace('wrong', `wrong${i}`) : value]),
        )
      for (let i = 0; i < 5; i++) assert.equal(await fixture.who(guess(i), 'admin-and-local', far), 'UNAUTHORIZED')
      assert.equal(await fixture.who(guess(5), 'admin-and-local', far), 'RATE_LIMITED')
      assert.equal(
        await fixture.who(guess(5), 'admin-and-local', { peerAddress: '10.0.0.2' }),
        'UNAUTHORIZED',
        'another address is not touched',
      )
      fixture.clock.advance(60)
    }
  })

  it('do not take local trust where loopback trust is off', async () => {
    const strict = await accessFixture({ GATEWAY_LOOPBACK_TRUST: '0' })
    try {
      assert.equal(await strict.who({}), 'UNAUTHORIZED')
      assert.equal(await strict.who(admin(), 'admin-and-local'), 'FORBIDDEN')
      assert.equal(id(await strict.who(admin({ 'x-gateway-local-token': LOCAL }), 'admin-and-local')), 'admin')
    } finally {
      await strict.dispose()
    }
  })
})
