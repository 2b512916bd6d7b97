import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closed, Type } from '@gateway/sdk'
import { argumentsValidator, defaultsOf, lazyValidator } from '../src/index.ts'

const validate = argumentsValidator(
  Type.Object(
    {
      title: Type.String({ minLength: 1, maxLength: 10 }),
      priority: Type.Optional(Type.Union([Type.Literal('P0'), Type.Literal('P1')])),
      level: Type.Optional(Type.Enum(['low', 'high'])),
      limit: Type.Integer({ default: 50, minimum: 1 }),
      factor: Type.Optional(Type.Number()),
      to: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String(), { minItems: 1 })])),
      operations: Type.Optional(Type.Array(Type.Object({ action: Type.String() }, closed), { maxItems: 2 })),
    },
    closed,
  ),
)

function refusal(args: unknown): { message: string; field?: string } {
  try {
    validate(args)
  } catch (error) {
    const { code, details } = error as { code: string; details: { message: string; field?: string } }
    assert.equal(code, 'BAD_REQUEST')
    return details
  }
  throw new Error('was accepted')
}

describe('arguments', () => {
  it('are not repeated where the schema says that they are secret', () => {
    const check = argumentsValidator(Type.Object({ secret: Type.String({ minLength: 16, secret: true }) }))
    assert.throws(() => check({ secret: 'hunter2' }), /^(?!.*hunter2).*`secret`.*7 characters, which are not shown/)
  })

  it('fill in defaults without changing what the caller holds', () => {
    const args = { title: 'x' }
    assert.deepEqual(validate(args), { title: 'x', limit: 50 })
    assert.deepEqual(args, { title: 'x' })
  })

  it('lose a tenantId, whatever it is', () => {
    assert.deepEqual(validate({ title: 'x', tenantId: 'other' }), { title: 'x', limit: 50 })
  })

  const cases: [string, unknown, string | undefined, RegExp][] = [
    ['a missing field', {}, 'title', /`title` is missing/],
    ['a wrong type', { title: 7 }, 'title', /`title` must be a string; got 7/],
    ['no coercion', { title: 'x', limit: '5' }, 'limit', /`limit` must be a whole number; got "5"/],
    ['a bound', { title: 'x', limit: 0 }, 'limit', /must be at least 1; got 0/],
    [
      'a whole number too large to be one',
      JSON.parse('{"title":"x","limit":1e999}'),
      'limit',
      /`limit` must be a whole number; got Infinity/,
    ],
    ['a number too large to be one', JSON.parse('{"title":"x","factor":-1e999}'), 'factor', /`factor` must be a number; got -Infinity/],
    ['an enumeration', { title: 'x', level: 'mid' }, 'level', /one of low, high; got "mid"/],
    ['a union of literals', { title: 'x', priority: 'P9' }, 'priority', /"P0" or "P1"; got "P9"/],
    ['a union of types', { title: 'x', to: 7 }, 'to', /`to` must be a string or an array; got 7/],
    ['the one type of a union that came, too short', { title: 'x', to: '' }, 'to', /`to` must have at least 1 character; got ""/],
    ['the one type of a union that came, empty', { title: 'x', to: [] }, 'to', /`to` must have at least 1 item; got an array of 0/],
    ['what is wrong inside the one type of a union', { title: 'x', to: ['a', 7] }, 'to[1]', /`to\[1\]` must be a string; got 7/],
    ['an unknown field', { title: 'x', titel: 1 }, 'titel', /`titel` is not known here; known are: title, priority/],
    ['a nested field', { title: 'x', operations: [{ action: 'a' }, { action: 3 }] }, 'operations[1].action', /got 3/],
    ['an unknown nested field', { title: 'x', operations: [{ action: 'a', b: 1 }] }, 'operations[0].b', /not known/],
    ['a long value, cut', { title: 'y'.repeat(500) }, 'title', /… \(502 characters\)/],
    ['a __proto__ member', JSON.parse('{"title":"x","__proto__":{"a":1}}'), '__proto__', /not known/],
    ['an array', [], undefined, /one JSON object of named arguments, got an array of 0/],
    ['null', null, undefined, /got null/],
    ['text', 'hi', undefined, /got "hi"/],
    ['nothing', undefined, undefined, /got nothing/],
  ]
  for (const [name, args, field, message] of cases) {
    it(`name the field, what was expected and what came: ${name}`, () => {
      const details = refusal(args)
      assert.match(details.message, message)
      assert.equal(details.field, field)
    })
  }

  it('never reach the prototype of anything', () => {
    assert.throws(() => validate(JSON.parse('{"title":"x","constructor":{"prototype":{"polluted":1}}}')), { code: 'BAD_REQUEST' })
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })

  it('more arguments than any tool has are refused before they are copied, with their number', () => {
    const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
    const open = argumentsValidator(Type.Object({}))
    assert.equal(Object.keys(open(named(1_000))).length, 1_000)
    assert.throws(() => open(named(1_001)), { code: 'BAD_REQUEST', message: 'The arguments must have at most 1000 names, got 1001.' })
  })
})

describe('defaults without a validator', () => {
  it('are what a validator fills in', () => {
    const schema = Type.Object(
      { days: Type.Integer({ default: 30 }), name: Type.Optional(Type.String()), on: Type.Boolean({ default: false }) },
      closed,
    )
    const filled = {}
    assert.equal(lazyValidator(schema)(filled), undefined)
    assert.deepEqual(defaultsOf(schema), filled)
    assert.deepEqual(filled, { days: 30, on: false })
  })

  it('are left to the validator where they do not say it all', () => {
    for (const schema of [
      Type.Object({ name: Type.String() }, closed),
      Type.Object({ deep: Type.Object({ on: Type.Boolean({ default: true }) }, { default: {} }) }, closed),
      { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] } as const,
    ])
      assert.equal(defaultsOf(schema), undefined)
  })
})
