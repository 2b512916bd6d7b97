import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Infer, Type } from '@gateway/sdk'
import { Type as TypeBox } from 'typebox'

/** Each schema, built with this package and with TypeBox. */
const samples = (T: typeof Type) => ({
  object: T.Object({ a: T.String(), b: T.Optional(T.Integer({ default: 3 })) }, { additionalProperties: false }),
  empty: T.Object({}),
  allOptional: T.Object({ a: T.Optional(T.String()) }),
  nested: T.Object({ list: T.Array(T.Object({ x: T.Number({ minimum: 0 }) }), { maxItems: 3 }) }),
  boolean: T.Boolean({ description: 'a flag' }),
  nothing: T.Null(),
  literals: T.Union([T.Literal('x'), T.Literal(3), T.Literal(true)], { default: 'x' }),
  enumeration: T.Enum(['a', 'b'], { default: 'a' }),
  unknown: T.Unknown(),
  record: T.Record(T.String(), T.Number()),
})

describe('Type', () => {
  it('builds what TypeBox builds', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(samples(Type))), JSON.parse(JSON.stringify(samples(TypeBox as unknown as typeof Type))))
  })

  it('marks an optional property without changing the schema it is given', () => {
    const name = Type.String()
    assert.deepEqual(Type.Object({ name: Type.Optional(name), other: name }).required, ['other'])
  })

  it('keeps a partial object closed', () => {
    const closed = Type.Partial(Type.Object({ a: Type.String() }, { additionalProperties: false }))
    assert.deepEqual(JSON.parse(JSON.stringify(closed)), {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    })
  })

  it('keeps the properties of a partial object optional where they are spread into another', () => {
    const { properties } = Type.Partial(Type.Object({ a: Type.String() }))
    assert.equal((Type.Object({ ...properties }) as { required?: unknown }).required, undefined)
  })

  it('infers types', () => {
    const schema = samples(Type).object
    const value: Infer<typeof schema> = { a: 'x' }
    // @ts-expect-error b is a number
    const wrong: Infer<typeof schema> = { a: 'x', b: 'y' }
    assert.ok(value && wrong)
  })
})
