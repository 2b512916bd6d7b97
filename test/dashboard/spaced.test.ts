import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DEBOUNCE_MS } from '../../kernel/http/src/live/change-batcher.ts'
import { REST_MS, spaced } from '../../plugins/dashboard/app/spaced.ts'

/** Requests that are answered by the test. */
function asked(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const at: number[] = []
  let answer = (): void => {}
  let isHidden = false
  const asking = spaced(
    () => {
      at.push(Date.now())
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    () => isHidden,
  )
  return {
    asking,
    at,
    answer: async () => {
      answer()
      await new Promise(setImmediate)
    },
    hide: (hidden: boolean) => {
      isHidden = hidden
    },
  }
}

test('a change is shown within a second: collecting it and the longest rest leave 250 ms for the request', () => {
  assert.ok(DEBOUNCE_MS + REST_MS <= 750, `${DEBOUNCE_MS} + ${REST_MS} ms`)
})

test('a change after a quiet time is asked for at once, and those after it together when the rest is over', async (t) => {
  const { asking, at, answer } = asked(t)
  t.mock.timers.tick(10_000)
  asking.soon()
  assert.deepEqual(at, [10_000])
  asking.soon()
  t.mock.timers.tick(50)
  await answer()
  for (let change = 0; change < 5; change++) asking.soon()
  t.mock.timers.tick(REST_MS - 1)
  assert.equal(at.length, 1)
  t.mock.timers.tick(1)
  assert.deepEqual(at, [10_000, 10_050 + REST_MS])
  await answer()
  t.mock.timers.tick(60_000)
  assert.equal(at.length, 2)
})

test('a hidden page asks when it is seen again, and a stopped one never', async (t) => {
  const { asking, at, answer, hide } = asked(t)
  hide(true)
  asking.soon()
  t.mock.timers.tick(60_000)
  assert.equal(at.length, 0)
  hide(false)
  asking.resume()
  assert.equal(at.length, 1)
  asking.soon()
  asking.stop()
  await answer()
  t.mock.timers.tick(60_000)
  assert.equal(at.length, 1)
})
