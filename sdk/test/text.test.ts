import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, foldCase, repairText } from '@gateway/sdk'

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

test('a text that no store takes is repaired, in values and in names, and any other stays the same value', () => {
  assert.equal(repairText('a\ud800b\0c\udc00'), 'a\ufffdb\ufffdc\ufffd')
  assert.deepEqual(repairText({ 'k\ud83d': ['x', { y: '\0' }], n: 1, b: null }), { 'k\ufffd': ['x', { y: '\ufffd' }], n: 1, b: null })
  const fine = { text: 'a🚀\u001b[31m', list: [1, 'x', { deep: true }] }
  assert.equal(repairText(fine), fine)
})
