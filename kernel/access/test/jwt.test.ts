import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { testClock } from '@gateway/testing'
import { jwtVerifier } from '../src/jwt.ts'
import { endedAt } from '../src/jwt-ended.ts'

const SECRET = 'a-session-secret-of-some-length-0123456789'
const HASHES = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function sign(claims: object, { secret = SECRET, alg = 'HS256' as keyof typeof HASHES, header = {} } = {}): string {
  const body = `${base64({ alg, ...header })}.${base64(claims)}`
  return `${body}.${createHmac(HASHES[alg], secret).update(body).digest('base64url')}`
}

const start = (maxKnown?: number) => {
  const clock = testClock()
  const now = clock.now() / 1000
  return { clock, now, claims: { sub: 'ann', tenantId: 'acme', role: 'member', exp: now + 60 }, ...jwtVerifier(SECRET, clock, maxKnown) }
}
const ANN = { id: 'ann', kind: 'user', role: 'member', tenantId: 'acme' }

describe('session tokens', () => {
  it('are the user, tenant and role of their claims', async () => {
    const { verify, claims } = start()
    assert.deepEqual(await verify(sign(claims)), ANN)
    for (const role of ['viewer', 'admin', 'owner']) assert.equal((await verify(sign({ ...claims, role })))?.role, role)
  })

  it('say when their time was over, so that a refusal can tell it; a damaged one says nothing', () => {
    const { clock, now, claims } = start()
    assert.equal(endedAt(sign({ ...claims, exp: now - 60 }), clock), new Date((now - 60) * 1000).toISOString())
    for (const token of [sign(claims), sign({ ...claims, exp: undefined }), sign({ ...claims, exp: -1e300 }), 'no token', 'a.b.c'])
      assert.equal(endedAt(token, clock), undefined)
  })

  it('need every claim, of the right kind', async () => {
    const { verify, claims, now } = start()
    const bad: Record<string, unknown>[] = [
      ...Object.keys(claims).map((name) => ({ [name]: undefined })),
      ...['', 7, null, ['ann'], { id: 'ann' }].map((sub) => ({ sub })),
      ...['', 7, null, '../etc', '_gateway', 'Acme', 'a b', 'a'.repeat(65)].map((tenantId) => ({ tenantId })),
      ...['', 7, null, 'operator', 'system', 'root', ['owner'], 'Owner'].map((role) => ({ role })),
      ...[String(now + 60), null, now - 1, now, -1].map((exp) => ({ exp })),
      { nbf: now + 30 },
    ]
    for (const over of bad) assert.equal(await verify(sign({ ...claims, ...over })), undefined, JSON.stringify(over))
  })

  it('are HS256 with the gateway’s secret, and nothing else', async () => {
    const { verify, claims } = start()
    const good = sign(claims)
    const [header, payload, signature] = good.split('.') as [string, string, string]
    const elsewise = base64({ ...claims, role: 'owner' })
    const bad = [
      sign(claims, { alg: 'HS384' }),
      sign(claims, { alg: 'HS512' }),
      sign(claims, { secret: `${SECRET}0` }),
      sign(claims, { header: { alg: 'none' } }),
      sign(claims, { header: { alg: 'RS256' } }),
      sign(claims, { header: { crit: ['exp'] } }),
      `${base64({ alg: 'none' })}.${payload}.`,
      `${header}.${elsewise}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${good}.${signature}`,
      '',
      '..',
      'x'.repeat(100_000),
    ]
    for (const token of bad) assert.equal(await verify(token), undefined, token.slice(0, 100))
    assert.deepEqual(await verify(good), ANN)
  })

  it('are over at the millisecond of exp, seen before or not', async () => {
    for (const seconds of [1, 60, 0.25, 60.75]) {
      const { verify, claims, clock, now } = start()
      const [seen, unseen] = ['seen', 'unseen'].map((sub) => sign({ ...claims, sub, exp: now + seconds })) as [string, string]
      assert.ok(await verify(seen))
      clock.advance(seconds - 0.001)
      assert.ok(await verify(seen), `${seconds} s`)
      clock.advance(0.001)
      for (const token of [seen, seen, unseen]) assert.equal(await verify(token), undefined, `${seconds} s`)
    }
  })

  it('seen before are answered at once, until they are over', async () => {
    const { verify, claims, clock } = start()
    const token = sign(claims)
    assert.ok(verify(token) instanceof Promise)
    await verify(token)
    assert.deepEqual(verify(token), ANN)
    clock.advance(60)
    assert.equal(verify(token), undefined)
    assert.ok(verify(token) instanceof Promise, 'forgotten: what is over takes no room')
  })

  it('that were refused are not remembered', async () => {
    const { verify, claims } = start()
    const token = sign(claims, { secret: 'another' })
    await verify(token)
    assert.ok(verify(token) instanceof Promise)
  })

  it('are remembered in a bounded table: the oldest is forgotten first, and is still good', async () => {
    const { verify, claims } = start(3)
    const tokens = ['a', 'b', 'c', 'd'].map((sub) => sign({ ...claims, sub }))
    for (const token of tokens) await verify(token)
    const [first, ...others] = tokens as [string, ...string[]]
    for (const token of others) assert.ok(!(verify(token) instanceof Promise))
    const again = verify(first)
    assert.ok(again instanceof Promise)
    assert.equal((await again)?.id, 'a')
  })
})
