import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partHasWords } from '@gateway/storage'

test('nothing is left of a filter that the text index answers whole, however it is put together', () => {
  const [red, round] = [{ labels: { has: 'red' } }, { labels: { has: 'round' } }]
  const words = [
    { field: 'labels', word: 'red' },
    { field: 'labels', word: 'round' },
  ]
  assert.deepEqual(partHasWords(['labels'], { and: [red, round] }), { words, rest: undefined })
  assert.deepEqual(partHasWords(['labels'], { ...red, and: [{ and: [round] }] }), { words, rest: undefined })
  assert.deepEqual(partHasWords(['labels'], { and: [red, { at: { gte: 'x' } }] }), {
    words: words.slice(0, 1),
    rest: { and: [{ at: { gte: 'x' } }] },
  })
  assert.deepEqual(partHasWords([], { and: [red] }), { words: [], rest: { and: [red] } })
})
