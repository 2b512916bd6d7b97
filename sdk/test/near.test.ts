import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest, nearness } from '@gateway/sdk/near'

test('a query is near a text that has all of its words, whole, begun or inside, and more so the better they fit', () => {
  const query = 'gate'
  const whole = nearness(query, 'Mend the gate')
  const begun = nearness(query, 'Mend the gateway')
  const inside = nearness(query, 'Mend the floodgates')
  assert.ok(whole > begun && begun > inside && inside > 0, `${whole} ${begun} ${inside}`)
  assert.equal(nearness('gate fence', 'Mend the gate'), 0)
})

test('one typing error in a word of four letters, and two from eight on, are forgiven', () => {
  for (const typed of ['serach', 'seach', 'searxh', 'ssearch']) assert.ok(nearness(typed, 'Speed up the search index') > 0, typed)
  assert.ok(nearness('onbaordnig', 'Paint the onboarding page') > 0)
  assert.equal(nearness('zearxx', 'Speed up the search index'), 0)
  assert.equal(nearness('gxt', 'get'), 0, 'a short word has too many neighbours')
})

test('the nearest come first, and items that are as near keep their order', () => {
  const items = ['The gateway', 'A gate', 'Fence', 'One gate']
  assert.deepEqual(
    nearest('gate', items, (text) => text, 3),
    ['A gate', 'One gate', 'The gateway'],
  )
  assert.deepEqual(
    nearest('  ', items, (text) => text, 3),
    [],
  )
})
