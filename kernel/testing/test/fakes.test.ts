import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Forbidden } from '@gateway/sdk'
import { fakeContext, testClock } from '@gateway/testing'

test('a fake context stands still and may do everything', () => {
  const ctx = fakeContext()
  assert.equal(ctx.tenantId, 'local')
  assert.equal(ctx.principal.role, 'operator')
  assert.equal(ctx.now().getTime(), ctx.now().getTime())
  assert.equal(ctx.signal.aborted, false)
  ctx.require('operator')
  assert.equal(ctx.holds('billing'), true)
  ctx.progress(1, 2)
  ctx.clock.advance(1.5)
  assert.equal(ctx.now().toISOString(), '2026-01-05T09:00:01.500Z')
})

test('ids carry their prefix and sort by the order they were made in', () => {
  const ctx = fakeContext()
  const ids = Array.from({ length: 12 }, () => ctx.newId('mail-'))
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, 12)
  assert.match(ids[0] as string, /^mail-/)
})

test('any part is replaced by the test’s own; the tenant follows the principal', () => {
  const clock = testClock('2030-01-01T00:00:00.000Z')
  const principal = { id: 'u1', kind: 'user', role: 'viewer', tenantId: 'acme' } as const
  const require = (): never => {
    throw Forbidden({ message: 'no' })
  }
  const ctx = fakeContext({ clock, principal, require, via: 'rest' })
  assert.equal(ctx.tenantId, 'acme')
  assert.equal(ctx.via, 'rest')
  assert.equal(ctx.now().getUTCFullYear(), 2030)
  assert.throws(() => ctx.require('work'), { code: 'FORBIDDEN' })
})
