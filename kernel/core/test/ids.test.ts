import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../src/ids.ts'

const NOW = Date.parse('2026-01-01T00:00:00.000Z')

test('an id is its prefix, ten characters of time and twelve of randomness', () => {
  assert.match(newId('task-', NOW), /^task-[0-9a-hjkmnp-tv-z]{22}$/)
  assert.equal(newId('', NOW + 1).slice(0, 10), '01kdvdna01')
})

test('ids sort by creation, also within one millisecond and while the clock stands still or goes back', () => {
  // Enough ids in one millisecond for the lower half of the random part to overflow.
  const ids = Array.from({ length: 50_000 }, () => newId('', NOW + 2))
  ids.push(newId('', NOW + 1), newId('', NOW + 3), newId('', NOW + 4))
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, ids.length)
})
