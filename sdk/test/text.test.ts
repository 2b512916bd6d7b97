import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText } from '@gateway/sdk'

test('a text is cut to as many characters as fit, and never through a surrogate pair', () => {
  assert.equal(cutText('', 3), '')
  assert.equal(cutText('abc', 3), 'abc')
  assert.equal(cutText('abcd', 3), 'abc')
  assert.equal(cutText('ab🚀', 4), 'ab🚀')
  assert.equal(cutText('ab🚀', 3), 'ab')
  assert.equal(cutText('a🚀b', 3), 'a🚀')
  assert.equal(cutText('🚀', 1), '')
})
