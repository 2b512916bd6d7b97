import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectationOf } from '../src/portable/index.ts'

const cases: readonly [string, object, string][] = [
  ['type', { type: 'string' }, 'must be a string'],
  ['type', { type: ['integer', 'null'] }, 'must be a whole number or null'],
  ['minimum', { limit: 1 }, 'must be at least 1'],
  ['maximum', { limit: 55 }, 'must be at most 55'],
  [
    'minimum',
    { limit: Number.MIN_SAFE_INTEGER },
    'must be a whole number that JSON carries exactly, from -9007199254740991 to 9007199254740991',
  ],
  ['exclusiveMinimum', { limit: 0 }, 'must be more than 0'],
  ['exclusiveMaximum', { limit: 1 }, 'must be less than 1'],
  ['minLength', { limit: 1 }, 'must have at least 1 character'],
  ['maxLength', { limit: 200 }, 'must have at most 200 characters'],
  ['minItems', { limit: 1 }, 'must have at least 1 item'],
  ['maxItems', { limit: 3 }, 'must have at most 3 items'],
  ['minProperties', { limit: 2 }, 'must have at least 2 members'],
  ['maxProperties', { limit: 1 }, 'must have at most 1 member'],
  ['uniqueItems', { i: 2, j: 0 }, 'must have each item once; items 0 and 2 are equal'],
  ['multipleOf', { multipleOf: 5 }, 'must be a multiple of 5'],
  ['enum', { allowedValues: ['low', 'high'] }, 'must be one of low, high'],
  ['const', { allowedValue: 'x' }, 'must be "x"'],
]
for (const [keyword, params, words] of cases) {
  test(`a fault of ${keyword} with ${JSON.stringify(params)} ${words}`, () => assert.equal(expectationOf({ keyword, params }), words))
}

test('a text rule and the alternatives of a union are named; another keyword keeps the words of the validator', () => {
  const rule = { must: 'be one line' }
  assert.equal(expectationOf({ keyword: 'pattern', params: {}, parentSchema: { rule } }), 'must be one line')
  const schema = [{ const: 'P0' }, { type: 'array' }, {}]
  assert.equal(expectationOf({ keyword: 'anyOf', params: {}, schema }), 'must be "P0" or an array or another form')
  assert.equal(expectationOf({ keyword: 'propertyNames', params: {}, message: 'has a wrong name' }), 'has a wrong name')
})
