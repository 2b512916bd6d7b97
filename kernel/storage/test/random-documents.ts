import { defineCollection, Type } from '@gateway/sdk'
import fc, { type Arbitrary } from 'fast-check'

/** Each kind of field twice: with and without an index. */
export const sample = defineCollection('differential.docs', {
  schema: Type.Object({
    id: Type.String(),
    s: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    t: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    n: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    m: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    x: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    y: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    flag: Type.Optional(Type.Boolean()),
    other: Type.Optional(Type.Boolean()),
    at: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
    list: Type.Optional(Type.Array(Type.Unknown())),
    data: Type.Optional(Type.Object({})),
  }),
  key: 'id',
  indexes: [{ keys: { s: 1, n: -1 } }, { keys: { n: 1 } }, { keys: { x: 1 }, present: 'x' }, { keys: { flag: 1, at: -1 } }],
})

const words = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  '10',
  '9',
  'é',
  'e\u0301',
  'ß',
  'İ',
  'ﬁ',
  '😀',
  '😀a',
  '\u{10ffff}',
  '\uffff',
  '%',
  '_',
  '.*',
  '[',
  '\\',
  '$a',
  '\n',
]
// A NUL, and half of a surrogate pair, are texts that no store could keep.
const text: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }).filter((value) => !value.includes('\0')) },
)
// No positive number below 2.2e-16: @photostructure/sqlite binds such a one as 0.
const number: Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -2, max: 2 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0.1, -0.25, 1e21, -1e21, 1e-10, -1e-300, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, Number.MIN_SAFE_INTEGER),
  },
)
const either = fc.oneof(text, number)
const hour = (hours: number): string => new Date(Date.UTC(2026, 0, 5, 9) + hours * 3_600_000).toISOString()
const time = fc.integer({ min: -2, max: 2 }).map(hour)
const storeTime = fc.integer({ min: -2, max: 2 }).map((hours) => ({ $now: hours * 3_600_000 }))
const tag = fc.constantFrom('a', 'b', 'é', '😀', '', '1', 'true')
const element: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>('1', 1, true, false, 0, '', 1.5, 'true', { a: 1 }, { a: { b: 'é' } }, { a: '1' }),
  tag,
)
const nested = fc.record(
  { a: fc.oneof(fc.integer(), text), 'b c': fc.array(tag, { maxLength: 2 }), é: fc.record({ deep: fc.option(number) }) },
  { requiredKeys: [] },
)

const scalars: Readonly<Record<string, Arbitrary<unknown>>> = {
  s: text,
  t: text,
  n: number,
  m: number,
  x: either,
  y: either,
  flag: fc.boolean(),
  other: fc.boolean(),
  at: time,
}
const arrays: Readonly<Record<string, Arbitrary<unknown>>> = { tags: tag, list: element }
const nullable = new Set(['s', 't', 'n', 'm', 'x', 'y'])
const numeric = new Set(['n', 'm'])
const textual = new Set(['id', 's', 't', 'x', 'y', 'at'])

const body = fc.record(
  {
    ...Object.fromEntries(Object.entries(scalars).map(([field, values]) => [field, nullable.has(field) ? fc.option(values) : values])),
    ...Object.fromEntries(Object.entries(arrays).map(([field, values]) => [field, fc.array(values, { maxLength: 3 })])),
    data: nested,
  },
  { requiredKeys: [] },
)

/** Few values, many documents: ties. */
export const documents = fc.array(body, { maxLength: 20 }).chain((bodies) =>
  fc
    .uniqueArray(
      text.filter((id) => id !== ''),
      { minLength: bodies.length, maxLength: bodies.length },
    )
    .map((ids) => bodies.map((one, i) => JSON.parse(JSON.stringify({ id: ids[i], ...one })) as { id: string })),
)

const operandOf = (field: string): Arbitrary<unknown> =>
  field === 'at' ? fc.oneof(time, storeTime) : field === 'id' ? text : (scalars[field] as Arbitrary<unknown>)

const condition: Arbitrary<object> = fc.constantFrom('id', ...Object.keys(scalars), ...Object.keys(arrays), 'data').chain((field) => {
  const exists = fc.boolean().map((exists): unknown => ({ exists }))
  if (field in arrays)
    return fc
      .oneof(
        exists,
        (arrays[field] as Arbitrary<unknown>).map((has) => ({ has })),
      )
      .map((entry) => ({ [field]: entry }))
  if (field === 'data') return exists.map((entry) => ({ [field]: entry }))
  const operand = operandOf(field)
  const orNull = fc.option(operand, { freq: 4 })
  const list = fc.oneof(
    { weight: 6, arbitrary: fc.array(orNull, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(orNull, { minLength: 65, maxLength: 67 }) },
  )
  const bound = fc.tuple(fc.constantFrom('lt', 'lte', 'gt', 'gte'), operand).map(([operator, value]) => ({ [operator]: value }))
  const kinds: Arbitrary<unknown>[] = [
    exists,
    orNull,
    fc.tuple(fc.constantFrom('eq', 'ne'), orNull).map(([operator, value]) => ({ [operator]: value })),
    fc.tuple(fc.constantFrom('in', 'nin'), list).map(([operator, values]) => ({ [operator]: values })),
  ]
  if (field !== 'flag' && field !== 'other')
    kinds.push(
      bound,
      fc.tuple(bound, bound).map(([a, b]) => ({ ...a, ...b })),
    )
  if (textual.has(field))
    kinds.push(fc.tuple(fc.constantFrom('prefix', 'contains'), text).map(([operator, value]) => ({ [operator]: value })))
  return fc.oneof(...kinds).map((entry) => ({ [field]: entry }))
})
const conditions = fc.array(condition, { maxLength: 3 }).map((list) => Object.assign({}, ...list) as object)

export const filter: Arbitrary<object> = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 5, arbitrary: conditions },
    { weight: 1, arbitrary: fc.tuple(conditions, fc.array(tie('filter'), { maxLength: 3 })).map(([base, or]) => ({ ...base, or })) },
    { weight: 1, arbitrary: fc.tuple(conditions, fc.array(tie('filter'), { maxLength: 2 })).map(([base, and]) => ({ ...base, and })) },
    { weight: 1, arbitrary: fc.tuple(conditions, tie('filter')).map(([base, not]) => ({ ...base, not })) },
  ),
})).filter

const direction = fc.constantFrom(1 as const, -1 as const)
export const sort: Arbitrary<Record<string, 1 | -1>> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('id', ...Object.keys(scalars)), direction), { maxLength: 3, selector: ([field]) => field })
  .map((keys) => Object.fromEntries(keys))

/** Each field is changed by at most one operator, as the contract asks. */
export const update: Arbitrary<Record<string, unknown>> = fc
  .uniqueArray(fc.constantFrom(...Object.keys(scalars), ...Object.keys(arrays), 'data'), { maxLength: 5 })
  .chain((fields) => fc.tuple(...fields.map(changeOf)))
  .map((changes) => {
    const result: Record<string, unknown> = {}
    for (const { operator, field, operand } of changes) {
      if (operator === 'unset') result.unset = [...((result.unset as string[] | undefined) ?? []), field]
      else result[operator] = { ...(result[operator] as object | undefined), [field]: operand }
    }
    return result
  })

function changeOf(field: string): Arbitrary<{ operator: string; field: string; operand: unknown }> {
  const by = (operators: readonly string[], operand: Arbitrary<unknown>) =>
    fc.record({ operator: fc.constantFrom(...operators), field: fc.constant(field), operand })
  const unset = by(['unset'], fc.constant(undefined))
  const elements = arrays[field]
  if (elements) return fc.oneof(unset, by(['push', 'addToSet', 'pull'], elements), by(['set'], fc.array(elements, { maxLength: 2 })))
  if (field === 'data')
    return fc.oneof(
      unset,
      by(
        ['set'],
        nested.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
      ),
    )
  const ways = [unset, by(['set'], operandOf(field))]
  if (field !== 'flag' && field !== 'other') ways.push(by(['min', 'max'], operandOf(field)))
  // A field of either kind may hold text, to which nothing can be added: the refusal is wanted too.
  if (numeric.has(field) || field === 'x') ways.push(by(['inc'], number))
  return fc.oneof(...ways)
}
