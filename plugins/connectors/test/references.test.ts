import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referred, rewrite } from '../src/rules/references.ts'

test('the variables of all values are found, each once, but for those with another value', () => {
  const connector = { url: 'https://${HOST}', command: '${BIN:-node}', args: ['${A}${B', '${A}'], env: { X: '$C ${1} ${D:-${E}} ${:-}' } }
  assert.deepEqual(referred(connector), ['A', 'HOST'])
})

test('they are found in time that grows with the value, whatever it holds', () => {
  // Long enough that quadratic time would not end in minutes.
  assert.deepEqual(referred({ command: '${A:-'.repeat(500_000) }), [])
  assert.deepEqual(referred({ command: `${'${A'.repeat(500_000)}}` }), ['A'])
  assert.deepEqual(referred({ command: `${'${A:-'.repeat(500_000)}}\${B}` }), ['B'])
  const open = '${A:-'.repeat(500_000)
  assert.equal(
    rewrite(open, () => ''),
    open,
  )
})
