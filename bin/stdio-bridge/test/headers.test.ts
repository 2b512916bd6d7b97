import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodedValue, paramValues } from '../src/headers.ts'

test('plain text stands in a header as it is, anything else in base64', () => {
  for (const plain of ['tasks_list', 'a b\tc', 'file:///a%20b', '=?base64?', '?=']) assert.equal(encodedValue(plain), plain)
  assert.equal(encodedValue('naïve'), '=?base64?bmHDr3Zl?=')
  for (const odd of ['', ' x', 'x ', '\tx', 'a\nb', 'ü', '\u0000', '=?base64?eA==?=']) assert.match(encodedValue(odd), /^=\?base64\?.*\?=$/)
})

test('every value comes back from its header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const encoded = encodedValue(value)
      assert.match(encoded, /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/)
      const inner = /^=\?base64\?(.*)\?=$/.exec(encoded)?.[1]
      assert.equal(inner === undefined ? encoded : Buffer.from(inner, 'base64').toString(), Buffer.from(value).toString())
    }),
  )
})

test('marked arguments become headers, those of inner objects too; absent and null ones do not', () => {
  const declared = [
    { header: 'Mcp-Param-Region', field: 'mcp-param-region', path: ['region'] },
    { header: 'Mcp-Param-Count', field: 'mcp-param-count', path: ['deep', 'count'] },
  ]
  assert.deepEqual(paramValues(declared, { region: 'naïve', plain: 'x', deep: { count: 42 } }), {
    'Mcp-Param-Region': '=?base64?bmHDr3Zl?=',
    'Mcp-Param-Count': '42',
  })
  assert.deepEqual(paramValues(declared, { region: true }), { 'Mcp-Param-Region': 'true' })
  for (const args of [undefined, null, {}, { region: null, deep: {} }, { deep: [] }]) assert.deepEqual(paramValues(declared, args), {})
})
