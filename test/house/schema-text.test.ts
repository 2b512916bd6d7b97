import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Described, table, typeText } from '../../scripts/references/schema-text.ts'

const cases: readonly (readonly [schema: Described, text: string])[] = [
  [{ type: 'string' }, 'string'],
  [{ type: 'string', minLength: 1, maxLength: 2000 }, 'string, 1 to 2,000 characters'],
  [{ type: 'string', maxLength: 5 }, 'string, at most 5 characters'],
  [{ type: 'integer', minimum: 1 }, 'integer, at least 1'],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 9 }, 'number, above 0, at most 9'],
  [{ enum: ['P0', 'P1', 'P2'] }, '`P0`, `P1` or `P2`'],
  [{ const: true }, '`true`'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string or array of string'],
  [
    { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', maxLength: 9 } },
    'array, 1 to 50 items, each string, at most 9 characters',
  ],
  [{ type: 'object', properties: { a: {}, b: {} } }, 'object {a, b}'],
  [{ type: 'string', rule: { must: 'have 8 digits' } }, 'string, must have 8 digits'],
  [{}, 'any value'],
]

for (const [schema, text] of cases) {
  test(`${JSON.stringify(schema)} reads “${text}”`, () => {
    assert.equal(typeText(schema), text)
  })
}

test('a cell cannot break its table', () => {
  assert.equal(table(['a'], [['one | two\nthree']]), '| a |\n| --- |\n| one \\| two three |')
})
