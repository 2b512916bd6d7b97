import assert from 'node:assert/strict'
import test from 'node:test'
import { isToolError } from '@gateway/sdk'
import { isRoundedInteger } from '@gateway/sdk/json'
import fc from 'fast-check'
import { parseJson } from '../src/json-body.ts'

const MAX_VALUES = 1_000_000
const parse = (text: string, maxValues = MAX_VALUES): unknown => parseJson(Buffer.from(text), maxValues)
function refused(text: string | Buffer, message: RegExp): void {
  assert.throws(
    () => parseJson(Buffer.from(text as string), MAX_VALUES),
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

test('a large body is read as a small one is, in every script', () => {
  for (const text of ['x', 'é', 'ж', '€', '😀', '\u0000', '\ufeff', '"\\']) {
    const value = { [text]: text.repeat(20_000), a: 'x' }
    assert.deepEqual(parse(JSON.stringify(value)), value)
  }
})

test('a byte order mark before a body is left out, and taken within it', () => {
  assert.deepEqual(parse('\ufeff{"a":"\ufeff"}'), { a: '\ufeff' })
  refused('{\ufeff"a":1}', /is not JSON/)
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
  // A character of four bytes that ends after three: its replacement is as long as the original.
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

test('a number too large to be one is refused by its place, and would be null else', () => {
  refused('1e999', /too large to be one\.$/)
  refused('{"a":{"b":[1,-1E+400]}}', /too large to be one, at `a\.b\[1\]`\.$/)
  refused(`[[{"sum":${'9'.repeat(400)}}]]`, /at `\[0\]\[0\]\.sum`\.$/)
  refused('[0.1e400]', /at `\[0\]`\.$/)
  refused(`[${'9'.repeat(250)}e99]`, /at `\[0\]`\.$/)
  refused(`{"${'x'.repeat(5_000)}":1e999}`, /^.{1,300}$/)
  for (const text of ['1e308', '1e-999', '"1e999"', '["9e999",1]', '{"1e999":"f1e999"}', `"${'9'.repeat(400)}"`, `0.${'9'.repeat(400)}`])
    assert.deepEqual(parse(text), JSON.parse(text))
})

test('half of a surrogate pair is refused by its place, whole ones and what only looks like one are taken', () => {
  refused('"\\ud800"', /half of a surrogate pair, which is no text\.$/)
  refused('{"a":{"b":["x","y\\uDFFFz"]}}', /at `a\.b\[1\]`\.$/)
  refused('["\\udc00\\ud800"]', /at `\[0\]`\.$/)
  refused('{"a":[{"k\\udbff":1}]}', /at `a\[0\]\.k\ufffd`\.$/)
  for (const text of ['"\\ud83d\\ude80"', '["🚀"]', '"\\\\ud800"', '{"\\uD83D\\uDE80":"\\u0000"}'])
    assert.deepEqual(parse(text), JSON.parse(text))
})

test('the field of what would not come out as it went in is its place', () => {
  const fieldOf = (text: string): unknown => {
    try {
      return parse(text)
    } catch (error) {
      return (error as { details: { field: string } }).details.field
    }
  }
  assert.deepEqual([fieldOf('{"limit":1e999}'), fieldOf('1e999'), fieldOf('{"title":"\\ud800"}')], ['limit', 'body', 'title'])
  assert.deepEqual([fieldOf('{"a":[{"id":9007199254740993}]}'), fieldOf('9007199254740993')], ['a[0].id', 'body'])
  const prototypes = ['{"meta":{"__proto__":1}}', '{"a":[{"b":{"constructor":{"prototype":1}}}]}', '{"__proto__":1}']
  assert.deepEqual(prototypes.map(fieldOf), ['meta.__proto__', 'a[0].b.constructor.prototype', '__proto__'])
  assert.ok(String(fieldOf(`{"${'x'.repeat(5_000)}":{"__proto__":1}}`)).length <= 200)
})

test('an integer that would be written with other digits is refused by its place', () => {
  refused('{"a":{"b":[1,9007199254740993]}}', /more digits than a number keeps; send it as text, at `a\.b\[1\]`\.$/)
  refused('[-12345678901234567890]', /at `\[0\]`\.$/)
  refused('[99999999999999999999]', /at `\[0\]`\.$/)
  refused(`[1${'0'.repeat(30)}1]`, /at `\[0\]`\.$/)
  refused('{"text":"\\\\","id":9007199254740993}', /at `id`\.$/)
  const survive = [
    '9007199254740991',
    '[9007199254740992,1152921504606847000]',
    '"9007199254740993"',
    '{"9007199254740993":1}',
    `1${'0'.repeat(300)}`,
  ]
  const beside = ['{"id":9007199254740992,"text":"9007199254740993"}', '{"text":"\\"9007199254740993","id":9007199254740992}']
  for (const text of [...survive, ...beside, '[9007199254740993.5,1e300,0.12345678901234567]'])
    assert.deepEqual(parse(text), JSON.parse(text), text)
})

/** The integer that JSON writes as `12` or as `1.2e+22`. */
function integerIn(text: string): bigint {
  const [digits = '', exponent = '0'] = text.split('e+')
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}

test('any integer is taken exactly when its digits come back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.nat(10), (significant, zeros) => {
      const text = String(significant * 10n ** BigInt(zeros))
      if (integerIn(JSON.stringify(Number(text))) === BigInt(text)) assert.deepEqual(parse(`[${text}]`), [Number(text)])
      else assert.throws(() => parse(`[${text}]`), /more digits than a number keeps/)
    }),
  )
})

test('whatever its digits and exponent, a number is refused when it is infinite, and only then', () => {
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 330, size: 'max' })
    .map((all) => all.join('').replace(/^0+(?=.)/, ''))
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits, { nil: undefined }),
      fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
    )
    .map(
      ([sign, whole, part, exponent]) =>
        `${sign}${whole}${part === undefined ? '' : `.${part}`}${exponent === undefined ? '' : `e${exponent}`}`,
    )
  fc.assert(
    fc.property(number, (text) => {
      fc.pre(!isRoundedInteger(text))
      if (Number.isFinite(Number(text))) assert.deepEqual(parse(`[${text}]`), [Number(text)])
      else assert.throws(() => parse(`[${text}]`), /too large to be one/)
    }),
    { numRuns: 500 },
  )
})

test('a hundred levels are taken, more are refused, and depth cannot overflow the parser', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  assert.ok(parse(nested(100)))
  refused(nested(101), /deeper than 100/)
  refused(nested(400_000), /deeper than 100/)
  const alternately = (levels: number): string => '[{"a":'.repeat(levels / 2) + '}]'.repeat(levels / 2)
  refused(alternately(102).replace(':}', ':0}'), /deeper than 100/)
  assert.ok(parse(`[${'{},'.repeat(300)}"[{"]`))
})

test('a body has so many names and values, counted together before it is parsed, and words within texts are none', () => {
  const message = (text: string, maxValues: number): string => {
    try {
      parse(text, maxValues)
      return 'taken'
    } catch (error) {
      return (error as Error).message
    }
  }
  const tooMany = 'The request body has more than 6 names and values; send it in parts.'
  const texts = [
    '{"a":1,"b":2,"c":3}',
    '[1,2,3,4,5,6]',
    '[[],[],[]]',
    '{"a":{"b":{"c":1}}}',
    '"[,:{[,:{[,:{"',
    '["\\",[,:{[,:{","\\\\"]',
    '',
  ]
  for (const text of texts) assert.equal(message(text, 6), 'taken', text)
  // Also for text that is not JSON, because nobody parses it to find out.
  const more = ['{"a":1,"b":2,"c":3,"d":4}', '[1,2,3,4,5,6,7]', '[[],[],[],[]]', '{"a":{"b":{"c":{}}}}', ',,,,,,,', '[[[[[[[']
  for (const text of more) assert.equal(message(text, 6), tooMany, text)
})

/** Counts like the limit: each array and object, each name, and each value after the first. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items = Object.values(value)
  const names = Array.isArray(value) ? 0 : items.length
  return items.reduce((sum, item) => sum + partsOf(item), 1 + names + Math.max(0, items.length - 1))
}

test('names and values are counted right, whatever stands in the texts between them', () => {
  const texts = fc
    .array(fc.constantFrom('"', '\\', ',', ':', '{', '[', 'x'.repeat(70), 'é'), { maxLength: 12 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(fc.dictionary(texts, fc.oneof(texts, fc.array(texts)))), (value) => {
      const text = JSON.stringify(value)
      const parts = partsOf(value)
      assert.deepEqual(parse(text, parts), JSON.parse(text))
      assert.throws(() => parse(text, parts - 1), /names and values/)
    }),
  )
})
