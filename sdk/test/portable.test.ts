import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { notBlank, Type, textTest } from '@gateway/sdk'
import { mapSchemas, portabilityFaults, published, readPattern } from '@gateway/sdk/portable'

describe('a pattern for every engine', () => {
  const portable: readonly (readonly [pattern: string, isOpen: boolean])[] = [
    ['^[a-z][a-z0-9_]{2,63}$', false],
    ['^(?:0|[1-9][0-9]{0,8})\\.(?:a|bc?)$', false],
    ['^(19[7-9]|2\\d\\d)\\d-\\d\\d$', false],
    ['^[^\\s/]{1,60}(/[^\\s/]{1,60}){1,5}$', false],
    ['^a\\$$', false],
    ['^[\\[\\]\\\\^-]$', false],
    ['^\\x41[\\x00-\\x1f]$', false],
    ['^$', false],
    ['', true],
    ['\\S', true],
    ['^https?://', true],
    ['^[a-z]+$', true],
    ['^a{2,}$', true],
    ['^(?:a*b){1,3}$', true],
    ['^a$|^b', true],
    ['^a|b$', true],
    ['^a\\$', true],
  ]
  for (const [pattern, isOpen] of portable.filter(([pattern]) => pattern !== '^a$|^b'))
    it(`is ${isOpen ? 'open' : 'bounded'}: ${pattern}`, () => assert.deepEqual(readPattern(pattern), { isOpen }))

  const faults: readonly (readonly [pattern: string, fault: RegExp])[] = [
    ['^(?!-)a$', /look-around/],
    ['^(?=[^]*\\S).*$', /look-around/],
    ['(?<=a)b', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(?<year>\\d{4})', /named group/],
    ['(?i:a)', /begins with \(\?|is not a regular expression/],
    ['^(a)\\1$', /back-reference/],
    ['(?<n>a)\\k<n>', /named group/],
    ['[^]', /empty class/],
    ['a[]', /empty class/],
    ['^[^\\u0000]*$', /escape \\u/],
    ['\\u{1f600}', /escape \\u/],
    ['\\p{L}', /escape \\p/],
    ['\\cA', /escape \\c/],
    ['\\0', /escape \\0/],
    ['\\bword\\b', /word boundary/],
    ['[[]', /nested class/],
    ['[a&&b]', /set operation/],
    ['^a{1,2000}$', /more than 1000 times/],
    ['^(a{1,100}){1,100}$', /more than 1000 times/],
    ['a^', /anchor/],
    ['(^a)', /anchor/],
    ['(', /not a regular expression/],
  ]
  for (const [pattern, fault] of faults) it(`is not ${pattern}`, () => assert.match(readPattern(pattern).fault ?? '', fault))
})

describe('a schema for every client', () => {
  const faultsOf = (schema: object): readonly string[] => portabilityFaults(schema, { input: true })

  it('has faults that name their place', () => {
    const schema = Type.Object({
      list: Type.Array(Type.Object({ name: Type.String({ pattern: '^(?!-)' }) })),
      either: Type.Union([Type.Null(), Type.String({ pattern: '^a+$', maxLength: 9 })]),
    })
    const [lookAround = '', open = '', ...others] = faultsOf(schema)
    assert.match(lookAround, /^\/properties\/list\/items\/properties\/name: the pattern \^\(\?!-\) has look-around/)
    assert.match(open, /^\/properties\/either\/anyOf\/1: the pattern \^a\+\$ is open, and minLength or maxLength stands beside it/)
    assert.deepEqual(others, [])
  })

  it('has names that hosts accept, arrays with items, and references within itself', () => {
    const schema = {
      type: 'object',
      properties: { 'a-b.c $': {}, list: { type: 'array' }, far: { $ref: 'https://example.com/s' }, ['n'.repeat(65)]: {} },
    }
    const faults = faultsOf(schema)
    assert.equal(faults.length, 4)
    assert.match(faults.join('\n'), /the name "a-b\.c \$" must have 1 to 64 letters/)
    assert.match(faults.join('\n'), /\/properties\/list: an array must say what its items are/)
    assert.match(faults.join('\n'), /the reference https:\/\/example\.com\/s must lead to a place in this schema/)
  })

  it('never requires what has a default', () => {
    assert.deepEqual(faultsOf({ type: 'object', properties: { limit: { type: 'integer', default: 5 } }, required: ['limit'] }), [
      '/: limit has a default and is required; make it optional',
    ])
    assert.deepEqual(faultsOf(Type.Object({ limit: Type.Integer({ default: 5 }) })), [])
    assert.equal('required' in Type.Object({ limit: Type.Integer({ default: 5 }) }), false)
  })

  it('finds patterns in the names of properties, and data is no schema', () => {
    assert.match(faultsOf({ patternProperties: { '^(?!a)': {} } })[0] ?? '', /look-around/)
    assert.deepEqual(faultsOf({ default: { pattern: '(?!a)' }, enum: [{ pattern: '(?!a)' }], examples: [{ pattern: '(?!a)' }] }), [])
  })
})

describe('the published schema', () => {
  it('omits what only the gateway reads and what model servers refuse, at every depth', () => {
    const schema = {
      type: 'object',
      properties: {
        rule: Type.String({ maxLength: 9, rule: notBlank }),
        key: { type: 'string', secret: true, env: 'KEY' },
        list: { type: 'array', uniqueItems: true, items: { not: { type: 'null' }, enum: ['a'] } },
        open: { type: 'string', pattern: '^a+$', minLength: 1, maxLength: 9 },
        odd: { type: 'string', pattern: '^(?!a)', maxLength: 9 },
      },
    }
    const before = structuredClone(schema)
    assert.deepEqual(published(schema), {
      type: 'object',
      properties: {
        rule: { type: 'string', maxLength: 9 },
        key: { type: 'string', 'x-secret': true },
        list: { type: 'array', items: { type: 'string', enum: ['a'] } },
        open: { type: 'string', pattern: '^a+$' },
        odd: { type: 'string', maxLength: 9 },
      },
    })
    assert.deepEqual(schema, before)
    assert.equal(published(schema), published(schema))
  })

  it('is the schema itself when there is nothing to omit', () => {
    const schema = Type.Object({ a: Type.Array(Type.String({ pattern: '^a{1,5}$' })) })
    assert.equal(published(schema), schema)
    assert.equal(
      mapSchemas(schema, (one) => one),
      schema,
    )
  })
})

it('a text rule tells whether a text keeps to it', () => {
  assert.deepEqual(['', ' ', 'a'].map(textTest(notBlank)), [false, false, true])
})
