import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { checkArguments } from '../src/rules/arguments.ts'
import { patternFault } from '../src/rules/linear-pattern.ts'
import { schemaFault as faultWithin, SCHEMA_LIMITS } from '../src/rules/tool-schema.ts'
import { refusal } from './support.ts'

const schemaFault = (schema: unknown) => faultWithin(schema, 65_536)
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const nested = (depth: number): object => (depth === 0 ? { type: 'string' } : object({ a: nested(depth - 1) }))
const deepData = (depth: number): unknown => (depth === 0 ? 1 : [deepData(depth - 1)])

const HOSTILE: Readonly<Record<string, unknown>> = {
  'no object': 'text',
  'a boolean': true,
  'a list': [],
  'of another type': { type: 'string' },
  'of several types': { type: ['object', 'null'] },
  'without a type': { properties: {} },
  'with a combinator at its top': { type: 'object', anyOf: [{ type: 'object' }] },
  'with const at its top': { type: 'object', const: {} },
  'with a remote reference': object({ a: { $ref: 'https://evil.example.com/schema.json' } }),
  'with a file reference': object({ a: { $ref: 'file:///etc/passwd' } }),
  'with a reference to itself': object({ a: { $ref: '#' } }),
  'with a bomb of references': { type: 'object', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }, { $ref: '#/$defs/b' }] } } },
  'with an id': { type: 'object', $id: 'https://example.com/x' },
  'with anchors': { type: 'object', $anchor: 'a', $dynamicAnchor: 'b' },
  'with $data': object({ a: { maximum: { $data: '1/b' } } }),
  'with $data at enum': object({ a: { enum: { $data: '1/b' } } }),
  'with code for a number': object({ a: { maxLength: '1;process.exit()' } }),
  'with code for a name': object({ __proto__x: {}, ['__proto__']: { type: 'string' } }),
  'with an own __proto__': JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
  'that requires __proto__': { type: 'object', required: ['__proto__'] },
  'with tenantId': object({ tenantId: { type: 'string' } }),
  'with a header of the house': object({ a: { type: 'string', 'x-mcp-header': 'Region' } }),
  'with patternProperties': { type: 'object', patternProperties: { '^(a+)+$': {} } },
  'with if': object({ a: { if: {}, else: {} } }),
  'with unevaluatedProperties': { type: 'object', unevaluatedProperties: false },
  'with an unknown keyword': object({ a: { type: 'string', instanceof: 'Function' } }),
  'with an unknown format': object({ a: { format: 'regex' } }),
  'with an unknown type': object({ a: { type: 'function' } }),
  'with items as a list': object({ a: { type: 'array', items: [{ type: 'string' }] } }),
  'with unique items without bound': object({ a: { type: 'array', uniqueItems: true } }),
  'with many unique items': object({ a: { type: 'array', uniqueItems: true, maxItems: 1_000_000 } }),
  'with a step of 0': object({ a: { multipleOf: 0 } }),
  'with a negative count': object({ a: { minLength: -1 } }),
  'with a count that is none': object({ a: { maxItems: 1.5 } }),
  'with no list of alternatives': object({ a: { anyOf: {} } }),
  'with an empty list of alternatives': object({ a: { anyOf: [] } }),
  'with required twice': { type: 'object', required: ['a', 'a'] },
  'with required as text': { type: 'object', required: 'a' },
  'with properties as a list': { type: 'object', properties: [] },
  'with null for a schema': object({ a: null }),
  'with a default of another type': object({ a: { type: 'integer', default: 'x' } }),
  'with a default out of bounds': object({ a: { type: 'array', items: object({ n: { minimum: 1, default: 0 } }) } }),
  'with a default that lacks what is required': object({ a: object({ b: {} }, { required: ['b'], default: {} }) }),
  'with a default that takes too long to check': object(
    Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [`p${i}`, { default: Array.from({ length: 60 }, () => 0), items: { enum: [1, 2, 3, 4, 0] } }]),
    ),
  ),
  'too deep': nested(SCHEMA_LIMITS.depth),
  'with data too deep': object({ a: { default: deepData(30) } }),
  'with data far too deep': object({ a: { default: deepData(5_000) } }),
  'too wide': object(Object.fromEntries(Array.from({ length: SCHEMA_LIMITS.schemas }, (_, i) => [`p${i}`, {}]))),
  'too large': object({ a: { description: 'x'.repeat(SCHEMA_LIMITS.bytes) } }),
  'with a long list of values': object({ a: { enum: Array.from({ length: 500 }, (_, i) => i) } }),
  'with too long a name': object({ ['x'.repeat(101)]: {} }),
}

for (const [what, schema] of Object.entries(HOSTILE)) {
  test(`a schema ${what} is refused, by the place that is wrong`, () => {
    const fault = schemaFault(schema)
    assert.ok(fault)
    assert.match(fault.field, /^schema/)
    assert.ok(fault.message.startsWith(`\`${fault.field}\``), fault.message)
  })
}

test('a default that does not fit is told with what it must be; one that fits with its own members’ defaults is taken', () => {
  assert.deepEqual(schemaFault(object({ n: { type: 'integer', minimum: 1, default: 0 } })), {
    field: 'schema.properties.n.default',
    message: '`schema.properties.n.default` must be at least 1; got 0.',
  })
  const filled = object({ a: object({ b: { type: 'string', default: 'x' } }, { required: ['b'], default: {} }) })
  assert.equal(schemaFault(filled), undefined)
  assert.deepEqual((filled.properties as { a: { default: object } }).a.default, {}, 'looking at it does not change it')
  assert.deepEqual(checkArguments(filled, {}, 1_000), { a: { b: 'x' } })
})

test('a default that no call is filled in with, or whose own are within what a call may bring, is taken', () => {
  const never = [
    { type: 'object', required: ['q'], properties: { q: {} }, default: {} },
    object({ a: { type: 'array', items: { type: 'integer', default: 'x' } } }),
    object({ a: { anyOf: [object({ b: { type: 'integer', default: 'x' } }), { not: object({ c: { type: 'integer', default: 'x' } }) }] } }),
    object({ a: { type: 'object', additionalProperties: { type: 'integer', default: 'x' } } }),
  ]
  for (const schema of never) assert.equal(schemaFault(schema), undefined)
  const filled = { type: 'array', items: object({ d: { default: 'x'.repeat(1_000) } }), default: Array.from({ length: 20 }, () => ({})) }
  assert.equal(schemaFault(object({ a: filled })), undefined)
  assert.match(String(faultWithin(object({ a: filled }), 10_000)?.message), /too large once its defaults/)
})

test('an ordinary schema is taken', () => {
  const schema = object(
    {
      name: { type: 'string', minLength: 1, maxLength: 50, pattern: '^[a-z][a-z0-9_]*$', description: 'A name.' },
      when: { type: ['string', 'null'], format: 'date-time' },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, maxItems: 10 },
      size: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'all' }], default: 'all' },
      more: { type: 'object', additionalProperties: { type: 'number' }, propertyNames: { maxLength: 10 } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number', multipleOf: 0.5 }], items: false },
    },
    { required: ['name'], additionalProperties: false, title: 'T', examples: [{}] },
  )
  assert.equal(schemaFault(schema), undefined)
  assert.equal(schemaFault(nested(SCHEMA_LIMITS.depth - 1)), undefined)
})

test('patterns that run in linear time are taken', () => {
  const fine = [
    '^a$',
    '^[a-z]+$',
    '^[a-z][a-z0-9_]{2,63}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[A-Z]+-\\d+$',
    '^\\S+$',
    '^.*$',
    '^',
    '^v?\\d+\\.\\d+\\.\\d+$',
  ]
  for (const pattern of [...fine, '^[^@]+@[^@]+$', '^https:\\/\\/', '^[\\w-]+$', '^\\s*[a-z]$', '^a{2}a$', '^[-a]+$', '^é+$'])
    assert.equal(patternFault(pattern), undefined, pattern)
})

test('patterns that may take longer, or that are none, are refused', () => {
  const catastrophic = [
    '^(a+)+$',
    '(a+)+$',
    '^(a|a)*$',
    '^(.*)*$',
    '^(a|aa)+$',
    '^a*a*$',
    '^.*.*$',
    '^\\w+\\d+$',
    '^[a-z]+[x-z]$',
    '^a?a?a?aaa$',
    '^.*foo$',
  ]
  const others = [
    'a',
    'a+$',
    '[a-z]*$',
    '\\s+$',
    '^(?=a)a',
    '^(?:a)+$',
    '^a+?$',
    '^a\\1',
    '^\\b',
    '^\\p{L}+$',
    '^a{5000}$',
    '^a{0,5000}$',
    '^[',
    '^a**',
    '^a|b$',
    '^\\u0061+$',
  ]
  const hidden = [
    '^[\\--a]+a$',
    '^[!-\\]]+a$',
    '^[^b]+a$',
    '^\\D+x$',
    '^\\W+é$',
    '^[é]+[ü]$',
    '^\\s+\\S*\\s$',
    '^a*b*a$',
    '^a{1,2}b?a$',
    '^^a',
    '^a$$',
    '^a$b',
    `^${'a'.repeat(200)}`,
  ]
  for (const pattern of [...catastrophic, ...others, ...hidden]) assert.notEqual(patternFault(pattern), undefined, pattern)
})

test('whatever pattern is taken takes time in proportion to the text', () => {
  const piece = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '\\w', '\\s', '-', '[a-z]', '\\.', '1')
  const count = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}')
  const pattern = fc.array(fc.tuple(piece, count), { maxLength: 8 }).map((parts) => `^${parts.flat().join('')}$`)
  const text = fc.constantFrom('a', 'b', '1', ' ', 'ab', 'a1', 'a-', '.').map((unit) => `${unit.repeat(20_000)}!`)
  let taken = 0
  fc.assert(
    fc.property(pattern, text, (one, long) => {
      if (patternFault(one) !== undefined) return
      taken++
      const began = process.cpuUsage()
      new RegExp(one, 'u').test(long)
      const { user } = process.cpuUsage(began)
      assert.ok(user < 300_000, `${one} took ${user} µs`)
    }),
    { numRuns: 2_000 },
  )
  assert.ok(taken > 100, String(taken))
})

const check = (schema: object, args: object) => checkArguments(schema as never, args as never, 65_536)

/** Schemas of the accepted keywords, as far as another implementation agrees on their meaning. */
const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array') }),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(3), maxLength: fc.nat(4) }),
  fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -3, max: 3 }), exclusiveMaximum: fc.integer({ min: -3, max: 5 }) }),
  fc.record({
    exclusiveMinimum: fc.integer({ min: -3, max: 3 }),
    maximum: fc.integer({ min: -3, max: 5 }),
    multipleOf: fc.constantFrom(1, 2),
  }),
  fc.record({ enum: fc.array(fc.constantFrom('a', 'b', 1, null, true, [1], { a: 1 }), { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: fc.constantFrom('a', 1, [1, 'a'], { a: { b: 1 } }, null) }),
  fc.record({ pattern: fc.constantFrom('^a', '^[ab]+$', '^\\d*$') }),
  fc.boolean(),
)
const { schema: anySchema } = fc.letrec<{ schema: unknown; object: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(3) }),
    fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), items: tie('schema'), uniqueItems: fc.boolean() }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('schema') }),
  ),
  object: fc.record(
    {
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 3 }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
      additionalProperties: tie('schema'),
      propertyNames: fc.record({ maxLength: fc.nat(2) }),
      minProperties: fc.nat(2),
      maxProperties: fc.nat(3),
    },
    { requiredKeys: [] },
  ),
}))
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('', 'a', 'ab', 'abc', '1', '😀', 0, 1, 2, -1, 2.5, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'long'), tie('value'), { maxKeys: 3 }),
  ),
})).value

test('arguments fit or not as ajv finds them to', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, useDefaults: true })
  fc.assert(
    fc.property(anySchema, fc.dictionary(fc.constantFrom('x', 'y'), value), (inner, args) => {
      const schema = object({ x: inner, y: { default: 1 } })
      const expected = structuredClone(args)
      const fits = ajv.compile(schema)(expected)
      ajv.removeSchema(schema)
      if (fits) assert.deepEqual(check(schema, args), expected)
      else assert.throws(() => check(schema, args), refusal('BAD_REQUEST'))
    }),
    { numRuns: 400 },
  )
})

test('a decimal is a multiple of the step that its digits say', () => {
  const price = (multipleOf: number) => object({ price: { type: 'number', multipleOf } })
  for (const cents of Array.from({ length: 10_000 }, (_, i) => i - 5_000)) check(price(0.01), { price: cents / 100 })
  for (const [value, step] of [
    [0.3, 0.1],
    [1e9 + 0.35, 0.05],
    [7, 0.7],
    [0, 0.1],
    [1e300, 1e-8],
  ] as const) {
    assert.deepEqual(check(price(step), { price: value }), { price: value })
  }
  for (const [value, step] of [
    [4.355, 0.01],
    [0.3000001, 0.1],
    [1e-9, 0.1],
    [1e9 + 0.33, 0.05],
    [2.5, 1],
  ] as const) {
    assert.throws(() => check(price(step), { price: value }), refusal('BAD_REQUEST', { field: 'price' }, /must be a multiple of/))
  }
})

test('defaults are filled in at any depth, and what the caller sent stays as it was', () => {
  const schema = object({ a: object({ b: { default: [1] }, c: {} }, { required: ['b'] }), d: { default: 'x', type: 'string' } })
  const args = { a: {} }
  assert.deepEqual(check(schema, args), { a: { b: [1] }, d: 'x' })
  assert.deepEqual(args, { a: {} })
  assert.deepEqual(check(object({ a: { anyOf: [object({ b: { default: 1 } }, { required: ['b'] }), { type: 'object' }] } }), { a: {} }), {
    a: {},
  })
})

test('a refusal names the field, what was expected and what came', () => {
  const schema = object({ a: { type: 'array', items: object({ n: { type: 'integer', minimum: 1 } }, { additionalProperties: false }) } })
  assert.throws(
    () => check(schema, { a: [{ n: 1 }, { n: 0 }] }),
    refusal('BAD_REQUEST', { field: 'a[1].n' }, /`a\[1\]\.n` must be at least 1; got 0\./),
  )
  assert.throws(() => check(schema, { a: [{ m: 1 }] }), refusal('BAD_REQUEST', { field: 'a[0].m' }, /is not known here; known are: n/))
  assert.throws(() => check(schema, { a: 1 }), refusal('BAD_REQUEST', { field: 'a' }, /must be an array; got 1/))
  const long = 'x'.repeat(299)
  const closed = object({}, { additionalProperties: false })
  assert.throws(() => check(closed, { [`${long}😀`]: 1 }), refusal('BAD_REQUEST', { field: long }, /is not known here/))
})
