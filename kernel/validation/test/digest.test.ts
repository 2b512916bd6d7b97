import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentsDigest, canonicalJson } from '../src/digest.ts'

const many = (count: number): [string, number][] => Array.from({ length: count }, (_, i) => [`k${i}`, i])

test('equal arguments have one digest, in whatever order their names came, at every level', () => {
  const one = { b: [{ d: 1, c: 'é"' }], a: Object.fromEntries(many(100)) }
  const other = { a: Object.fromEntries(many(100).reverse()), b: [{ c: 'é"', d: 1 }] }
  assert.equal(argumentsDigest(one), argumentsDigest(other))
  assert.notEqual(argumentsDigest(one), argumentsDigest({ ...one, b: [{ d: 1, c: 'é' }] }))
  assert.equal(canonicalJson({ b: 1, a: undefined }), '{"b":1}')
})

test('what has more members than any schema names is digested in the order it came in, which every transport keeps', () => {
  const data = Object.fromEntries(many(101).reverse())
  assert.equal(canonicalJson({ b: data, a: 1 }), `{"a":1,"b":${JSON.stringify(data)}}`)
  const list = many(101).map(([b, a]) => ({ b, a }))
  assert.equal(canonicalJson({ list }), `{"list":${JSON.stringify(list)}}`)
})
