import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closed, notBlank, type ObjectSchema, repoText, Type } from '@gateway/sdk'
import { argumentsValidator, lenientArguments, validateConfined, validateLeniently } from '../src/index.ts'

const Chat = Type.Object({ kind: Type.Literal('chat'), room: Type.Optional(Type.Integer()) }, closed)
const Mail = Type.Object({ kind: Type.Literal('mail'), to: Type.String(), copies: Type.Optional(Type.Array(Type.String())) }, closed)
const schema = Type.Object(
  {
    title: Type.String({ minLength: 1 }),
    note: Type.Optional(Type.String({ rule: notBlank })),
    day: Type.Optional(Type.String({ format: 'date' })),
    free: Type.Optional(Type.String()),
    repo: Type.Optional(repoText(10)),
    level: Type.Optional(Type.Enum(['low', 'high'])),
    limit: Type.Integer({ default: 50, minimum: 1 }),
    factor: Type.Optional(Type.Number()),
    dry: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    counts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    parent: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Null()])),
    to: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String())])),
    size: Type.Optional(Type.Union([Type.Enum(['all']), Type.Integer()])),
    steps: Type.Optional(Type.Array(Type.Object({ name: Type.String(), times: Type.Optional(Type.Integer()) }, closed))),
    channels: Type.Optional(Type.Record(Type.String(), Type.Union([Chat, Mail]))),
  },
  closed,
)
const strict = argumentsValidator(schema)
const read = (args: unknown): unknown => validateLeniently(strict, schema, args)
const withDefaults = (args: object) => ({ limit: 50, ...args })

const cases: readonly (readonly [promise: string, given: object, read: object])[] = [
  ['null for an optional text is absent', { title: 'x', note: null, level: null }, { title: 'x' }],
  ['null for a number with a default is the default', { title: 'x', limit: null }, { title: 'x' }],
  ['null stays where the schema accepts it', { title: 'x', parent: null, note: null }, { title: 'x', parent: null }],
  [
    'an empty text is absent where the schema refuses it',
    { title: 'x', note: '', level: '', limit: '', tags: '', day: '' },
    { title: 'x' },
  ],
  ['an empty text stays where the schema accepts it', { title: 'x', free: '', level: '' }, { title: 'x', free: '' }],
  ['white space around a text goes where its rule says so', { title: ' x', repo: '  web\n      ' }, { title: ' x', repo: 'web' }],
  ['an integer is parsed', { title: 'x', limit: '5' }, { title: 'x', limit: 5 }],
  ['a number and a boolean are parsed', { title: 'x', factor: ' 0.5', dry: 'false' }, { title: 'x', factor: 0.5, dry: false }],
  ['an array is parsed', { title: 'x', tags: '["a", "b"]' }, { title: 'x', tags: ['a', 'b'] }],
  ['an object is parsed', { title: 'x', meta: '{"a": 1}' }, { title: 'x', meta: { a: 1 } }],
  ['values by name are parsed', { title: 'x', counts: { a: '1' } }, { title: 'x', counts: { a: 1 } }],
  [
    'arrays of objects are read within',
    {
      title: 'x',
      steps: [
        { name: 'a', times: null },
        { name: 'b', times: '2' },
      ],
    },
    { title: 'x', steps: [{ name: 'a' }, { name: 'b', times: 2 }] },
  ],
  [
    'a parsed array is read within',
    { title: 'x', steps: '[{"name": "a", "times": "3"}]' },
    { title: 'x', steps: [{ name: 'a', times: 3 }] },
  ],
  ['a text that a union accepts stays a text', { title: 'x', to: '[1]', dry: 'true' }, { title: 'x', to: '[1]', dry: true }],
  ['a text that no branch accepts is parsed for another', { title: 'x', size: '7' }, { title: 'x', size: 7 }],
  [
    'the branch that a literal selects guides',
    { title: 'x', channels: { a: { kind: 'mail', to: '7', copies: '["b"]' }, b: { kind: 'chat', room: '7' } } },
    { title: 'x', channels: { a: { kind: 'mail', to: '7', copies: ['b'] }, b: { kind: 'chat', room: 7 } } },
  ],
  [
    'null within a branch is absent',
    { title: 'x', channels: { a: { kind: 'chat', room: null } } },
    { title: 'x', channels: { a: { kind: 'chat' } } },
  ],
]

describe('arguments that clients fill in or write as text', () => {
  for (const [promise, given, expected] of cases) {
    it(promise, () => {
      const before = structuredClone(given)
      assert.deepEqual(read(given), withDefaults(expected))
      assert.deepEqual(given, before, 'what the caller holds was changed')
    })
  }

  const refused: readonly (readonly [promise: string, given: object, message: RegExp])[] = [
    ['a number never becomes a text', { title: 7 }, /`title` must be a string; got 7/],
    ['null for a required argument is refused', { title: null }, /`title` must be a string; got null/],
    ['an empty text for a required argument is refused', { title: '' }, /`title` must have at least 1 character/],
    ['null under an unknown name is refused', { title: 'x', titel: null }, /`titel` is not known here/],
    ['a text that does not parse is refused as it came', { title: 'x', limit: '5 or so' }, /`limit` must be a whole number; got "5 or so"/],
    ['a fraction is no integer', { title: 'x', limit: '5.5' }, /`limit` must be a whole number; got "5.5"/],
    ['words are no booleans', { title: 'x', dry: 'yes' }, /`dry` must be true or false; got "yes"/],
    [
      'an integer that would be rounded is not parsed',
      { title: 'x', limit: '9007199254740993' },
      /`limit` must be a whole number; got "9007199254740993"/,
    ],
    ['nor is one for a number', { title: 'x', factor: '-9007199254740993' }, /`factor` must be a number; got "-9007199254740993"/],
    ['nor is a text that holds one', { title: 'x', meta: '{"a":[9007199254740993]}' }, /`meta` must be an object; got "/],
    ['what was parsed is checked', { title: 'x', limit: '0' }, /`limit` must be at least 1; got 0/],
    ['null in a list is refused', { title: 'x', tags: [null] }, /`tags\[0\]` must be a string; got null/],
  ]
  for (const [promise, given, message] of refused) it(promise, () => assert.throws(() => read(given), { code: 'BAD_REQUEST', message }))

  it('are the very same value when nothing is read otherwise', () => {
    const given = { title: 'x', steps: [{ name: 'a' }], channels: { a: { kind: 'chat' } } }
    assert.equal(lenientArguments(schema, given), given)
    for (const odd of [null, undefined, 'text', 7, []]) assert.equal(lenientArguments(schema, odd), odd)
  })

  it('follow references within the schema', () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { size: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
    } as unknown as ObjectSchema
    assert.deepEqual(lenientArguments(tree, { root: { size: '1', next: '{"size": "2", "next": null}' } }), {
      root: { size: 1, next: { size: 2 } },
    })
  })

  it('are taken as they came when a schema would make reading them take long', () => {
    let deep: object = Type.Integer()
    for (let depth = 0; depth < 8; depth++) deep = Type.Union(Array.from({ length: 10 }, () => deep))
    const wide = Type.Object({ list: Type.Array(deep) })
    const args = { list: ['1'] }
    assert.equal(lenientArguments(wide, args), args)
  })
})

describe('arguments of a confined call', () => {
  const confinement = { note: { fixed: { title: 'mine', parent: 'p1' }, free: ['note', 'limit'] } }
  const confined = (args: unknown): unknown => validateConfined(strict, schema, { confinement, name: 'note' }, args)
  const mine = withDefaults({ title: 'mine', parent: 'p1' })

  it('are read before the limits are compared', () => {
    assert.deepEqual(confined({ title: null, note: null, level: null, dry: '', limit: '7' }), { ...mine, limit: 7 })
    assert.deepEqual(confined(JSON.stringify({ note: 'x' })), { ...mine, note: 'x' })
  })

  it('cannot go beyond the limits, also as a text', () => {
    const beyond = [{ title: 'yours' }, { parent: null }, { dry: 'false' }]
    for (const args of [...beyond, ...beyond.map((one) => JSON.stringify(one))]) {
      assert.throws(() => confined(args), { code: 'FORBIDDEN' }, JSON.stringify(args))
    }
  })
})
