import assert from 'node:assert/strict'
import test from 'node:test'
import { isToolError } from '@gateway/sdk'
import fc from 'fast-check'
import { parseJson } from '../../src/http/json-body.ts'

const parse = (text: string): unknown => parseJson(Buffer.from(text))
function refused(text: string | Buffer, message: RegExp): void {
  assert.throws(
    () => parseJson(Buffer.from(text as string)),
    (error) => isToolError(error) && error.code === 'BAD_REQUEST' && message.test(error.message),
    String(text).slice(0, 80),
  )
}

test('any JSON value without prototype keys is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!text.includes('__proto__'))
      assert.deepEqual(parse(text), JSON.parse(text))
    }),
  )
})

test('an empty body is no value', () => assert.equal(parse(''), undefined))

test('broken JSON is refused with the position', () => {
  refused('{"a":1,}', /position 7/)
  refused('{"a":', /JSON/)
  refused('nonsense', /position 1/)
  refused('{"id": }', /'}' in JSON at position 7/)
  refused(`{"a":[1,2,"${'x'.repeat(5_000)}", tru]}`, /position 5017/)
  refused(`[${'1,'.repeat(100_000)}}`, /JSON/)
})

test('a body that is not UTF-8 is refused', () => {
  refused(Buffer.from([0x22, 0xff, 0x22]), /UTF-8/)
  // A character of four bytes that ends after three: what replaces it is as long as what was there.
  refused(Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]), /UTF-8/)
})

test('the character that stands for what could not be read is itself taken', () => assert.equal(parse('"\uFFFD"'), '\uFFFD'))

test('keys that reach a prototype are refused wherever they stand and however they are spelt', () => {
  refused('{"__proto__":{"admin":true}}', /__proto__/)
  refused('{"a":[{"b":{"__proto__":1}}]}', /__proto__/)
  refused('{"\\u005f_proto__":1}', /__proto__/)
  refused('{"constructor":{"prototype":{"admin":true}}}', /constructor\.prototype/)
})

test('the same words as values, or a plain constructor, are taken', () => {
  for (const text of ['{"a":"__proto__"}', '{"constructor":"Brunel"}', '{"prototype":{}}', '{"a":"\\u00e9"}'])
    assert.deepEqual(parse(text), JSON.parse(text))
})

test('a hundred levels are taken, more are refused, and depth cannot overflow the parser', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  assert.ok(parse(nested(100)))
  refused(nested(102), /deeper than 100/)
  refused(nested(400_000), /deeper than 100/)
  const alternately = (levels: number): string => '[{"a":'.repeat(levels / 2) + '}]'.repeat(levels / 2)
  refused(alternately(102).replace(':}', ':0}'), /deeper than 100/)
  assert.ok(parse(`[${'{},'.repeat(300)}"[{"]`))
})
