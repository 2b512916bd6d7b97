import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodedValue, paramHeaders, paramValues } from '../../../src/cli/stdio/headers.ts'

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

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    plain: { type: 'string' },
    deep: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    broken: { type: 'string', 'x-mcp-header': 'no token' },
    items: { type: 'array', items: { type: 'object', properties: { x: { type: 'string', 'x-mcp-header': 'Never' } } } },
  },
}

test('marked arguments become headers, those of inner objects too; absent and null ones do not', () => {
  const headers = paramHeaders(schema)
  assert.deepEqual(headers, [
    { name: 'mcp-param-Region', path: ['region'] },
    { name: 'mcp-param-Count', path: ['deep', 'count'] },
  ])
  assert.deepEqual(paramValues(headers, { region: 'naïve', plain: 'x', deep: { count: 42 } }), {
    'mcp-param-Region': '=?base64?bmHDr3Zl?=',
    'mcp-param-Count': '42',
  })
  assert.deepEqual(paramValues(headers, { region: true }), { 'mcp-param-Region': 'true' })
  for (const args of [undefined, null, {}, { region: null, deep: {} }, { deep: [] }]) assert.deepEqual(paramValues(headers, args), {})
})
