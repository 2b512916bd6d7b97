import assert from 'node:assert/strict'
import test from 'node:test'
import { closed, isToolError, Type } from '@gateway/sdk'
import fc from 'fast-check'
import { argumentReader, parseBinding } from '../src/bindings.ts'

const input = Type.Object(
  {
    id: Type.String(),
    count: Type.Optional(Type.Integer()),
    ratio: Type.Optional(Type.Number()),
    flag: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    numbers: Type.Optional(Type.Array(Type.Integer())),
    to: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    level: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
    kind: Type.Optional(Type.Enum(['a', '1'])),
    limit: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  },
  closed,
)
const read = argumentReader({ input })
const fromQuery = (query: Record<string, string | string[]>): object => read({}, query, undefined)

test('a binding is taken apart into method, path and parameters', () => {
  assert.deepEqual(parseBinding('PATCH /api/a/:one/b/:two_3'), { method: 'PATCH', path: '/api/a/:one/b/:two_3', params: ['one', 'two_3'] })
})

test('query text becomes the type its property asks for', () => {
  const cases: [Record<string, string | string[]>, object][] = [
    [{ count: '12' }, { count: 12 }],
    [{ count: '-3' }, { count: -3 }],
    [{ ratio: '1.5e2' }, { ratio: 150 }],
    [{ flag: 'true' }, { flag: true }],
    [{ flag: 'false' }, { flag: false }],
    [{ tags: 'a,b' }, { tags: ['a', 'b'] }],
    [{ tags: ['a', 'b,c'] }, { tags: ['a', 'b,c'] }],
    [{ tags: '' }, { tags: [] }],
    [{ tags: '["a,b", "c"]' }, { tags: ['a,b', 'c'] }],
    [{ tags: '[a,b' }, { tags: ['[a', 'b'] }],
    [{ numbers: '1,2' }, { numbers: [1, 2] }],
    [{ numbers: ['1', '2'] }, { numbers: [1, 2] }],
    [{ to: 'a,b' }, { to: 'a,b' }],
    [{ to: ['a', 'b'] }, { to: ['a', 'b'] }],
    [{ level: '2' }, { level: 2 }],
    [{ kind: '1' }, { kind: '1' }],
    [{ limit: '7' }, { limit: 7 }],
    [{ id: '12' }, { id: '12' }],
  ]
  for (const [query, args] of cases) assert.deepEqual(fromQuery(query), args)
})

test('text that does not fit stays text, for validation to name', () => {
  const cases = [
    { count: 'abc' },
    { count: '' },
    { count: '0x10' },
    { count: ' 1' },
    { count: ['1', '2'] },
    { flag: '1' },
    { flag: 'TRUE' },
    { unknown: '1' },
  ]
  for (const query of cases) assert.deepEqual(fromQuery(query), query)
})

test('any number written by JSON comes back as that number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (ratio) =>
      assert.deepEqual(fromQuery({ ratio: JSON.stringify(ratio) }), { ratio: JSON.parse(JSON.stringify(ratio)) }),
    ),
  )
})

test('path, query and body make one object of arguments', () => {
  assert.deepEqual(read({ id: 'x' }, { count: '2' }, { flag: true }), { id: 'x', count: 2, flag: true })
})

test('a name given twice with one meaning is taken once', () => {
  assert.deepEqual(read({ id: 'x' }, { tags: 'a,b' }, { id: 'x', tags: ['a', 'b'] }), { id: 'x', tags: ['a', 'b'] })
})

test('a name given twice with two meanings is refused by name', () => {
  const cases = [
    () => read({ id: 'x' }, {}, { id: 'y' }),
    () => read({ id: 'x' }, { id: 'y' }, undefined),
    () => read({}, { id: 'x' }, { id: 'y' }),
  ]
  for (const run of cases)
    assert.throws(run, (error) => isToolError(error) && error.code === 'BAD_REQUEST' && (error.details as { field: string }).field === 'id')
})

test('a body that is no object is refused', () => {
  for (const body of [[], 'x', 1, null, true]) {
    assert.throws(
      () => read({}, {}, body),
      (error) => isToolError(error) && error.code === 'BAD_REQUEST' && /JSON object/.test(error.message),
    )
  }
})

test('a query cannot reach a prototype', () => {
  const query = JSON.parse('{"__proto__":"1"}') as Record<string, string>
  assert.throws(
    () => fromQuery(query),
    (error) => isToolError(error) && error.code === 'BAD_REQUEST',
  )
  assert.deepEqual(fromQuery({ constructor: 'x' }), { constructor: 'x' })
})
