import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, foldCase } from '@gateway/sdk'

test('a text is cut to as many characters as fit, and never through a surrogate pair', () => {
  assert.equal(cutText('', 3), '')
  assert.equal(cutText('abc', 3), 'abc')
  assert.equal(cutText('abcd', 3), 'abc')
  assert.equal(cutText('ab🚀', 4), 'ab🚀')
  assert.equal(cutText('ab🚀', 3), 'ab')
  assert.equal(cutText('a🚀b', 3), 'a🚀')
  assert.equal(cutText('🚀', 1), '')
})

test('texts that differ in case alone are the same when folded, wherever in a word a sigma stands', () => {
  assert.equal(foldCase('ABC ß É'), foldCase('abc ß é'))
  assert.ok(foldCase('ΟΔΟΣΑΝ').includes(foldCase('ΟΔΟΣ')))
  assert.equal(foldCase('οδος'), foldCase('ΟΔΟΣ'))
})
