import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testClock } from '@gateway/testing'
import { throttle } from '../src/bounds/throttle.ts'

const start = (limit = 3) => {
  const clock = testClock()
  return { clock, ...throttle(clock, { limit, windowSeconds: 60 }) }
}

describe('wrong credentials', () => {
  it('up to the limit go on; a further one waits until the window has passed', () => {
    const { clock, failed } = start()
    for (const guess of ['1', '2', '3']) assert.equal(failed('a', guess), 0)
    assert.equal(failed('a', '4'), 60)
    clock.advance(59.5)
    assert.equal(failed('a', '4'), 1, 'rounded up: who waits so long is not turned away again')
    clock.advance(0.5)
    assert.equal(failed('a', '4'), 0)
  })

  it('that are one and the same count once, however often they come', () => {
    const { failed } = start()
    for (let i = 0; i < 1_000; i++) assert.equal(failed('a', 'stale'), 0)
    for (const guess of ['2', '3']) assert.equal(failed('a', guess), 0)
    assert.equal(failed('a', 'stale'), 60, 'beside a guesser it waits as well')
  })

  it('are counted from the first of them, and after the window anew', () => {
    const { clock, failed } = start()
    failed('a', '1')
    clock.advance(50)
    failed('a', '2')
    clock.advance(10)
    for (const guess of ['3', '4', '5']) assert.equal(failed('a', guess), 0, 'the first two are forgotten')
    assert.equal(failed('a', '6'), 60)
  })

  it('that are sent while waiting do not lengthen the wait', () => {
    const { clock, failed } = start(1)
    failed('a', '0')
    clock.advance(30)
    for (let i = 1; i < 100; i++) assert.equal(failed('a', String(i)), 30)
  })

  it('do not wait for the length of a step when the clock is set back', () => {
    const { clock, failed, waiting } = start(1)
    failed('a', '1')
    assert.equal(failed('a', '2'), 60)
    clock.advance(-3_600)
    assert.equal(waiting('a'), 0)
    assert.equal(failed('a', '3'), 0)
    assert.equal(failed('a', '4'), 60)
  })

  it('of one address do not touch another', () => {
    const { failed } = start(1)
    assert.deepEqual([failed('a', '1'), failed('a', '2'), failed('b', '2')], [0, 60, 0])
  })

  it('from very many addresses are kept in a bounded table: the oldest address is forgotten first', () => {
    const { failed } = start(1)
    for (let i = 0; i < 10_001; i++) failed(`peer-${i}`, '1')
    assert.deepEqual([failed('peer-10000', '2'), failed('peer-1', '2'), failed('peer-0', '2')], [60, 60, 0])
  })
})
