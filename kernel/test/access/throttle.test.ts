import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testClock } from '@gateway/sdk/testing'
import { throttle } from '../../src/access/throttle.ts'

const start = (limit = 3) => {
  const clock = testClock()
  return { clock, ...throttle(clock, { limit, windowSeconds: 60 }) }
}

describe('failed attempts', () => {
  it('up to the limit go on; the next one waits until the window has passed', () => {
    const { clock, failed, blockedFor } = start()
    assert.equal(blockedFor('a'), 0)
    for (let i = 0; i < 3; i++) {
      assert.equal(blockedFor('a'), 0)
      failed('a')
    }
    assert.equal(blockedFor('a'), 60)
    clock.advance(59.5)
    assert.equal(blockedFor('a'), 1, 'rounded up: who waits so long is not turned away again')
    clock.advance(0.5)
    assert.equal(blockedFor('a'), 0)
  })

  it('the window begins with the first of them, and the next begins anew', () => {
    const { clock, failed, blockedFor } = start()
    failed('a')
    clock.advance(50)
    failed('a')
    clock.advance(10)
    failed('a')
    failed('a')
    assert.equal(blockedFor('a'), 0, 'the first two are forgotten')
    failed('a')
    assert.equal(blockedFor('a'), 60)
  })

  it('further ones while waiting do not lengthen the wait', () => {
    const { clock, failed, blockedFor } = start()
    for (let i = 0; i < 3; i++) failed('a')
    clock.advance(30)
    for (let i = 0; i < 100; i++) failed('a')
    assert.equal(blockedFor('a'), 30)
  })

  it('of one address do not touch another', () => {
    const { failed, blockedFor } = start(1)
    failed('a')
    assert.deepEqual([blockedFor('a'), blockedFor('b')], [60, 0])
  })

  it('from very many addresses are kept in a bounded table: the oldest address is forgotten first', () => {
    const { failed, blockedFor } = start(1)
    for (let i = 0; i < 10_001; i++) failed(`peer-${i}`)
    assert.deepEqual([blockedFor('peer-0'), blockedFor('peer-1'), blockedFor('peer-10000')], [0, 60, 60])
  })
})
