import fc, { type Arbitrary } from 'fast-check'

const awkward = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  '10',
  '9',
  'null',
  'é',
  'ﬁ',
  '😀',
  '😀a',
  '\u{10ffff}',
  '%',
  '_',
  '"',
  "'",
  '\\',
  ' a',
  '[',
  '*',
  '?',
  '$',
  '\n',
]
// A store cannot keep a NUL, or half of a surrogate pair, as text.
const text: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...awkward) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }).filter((value) => !value.includes('\0')) },
)
const status = fc.constantFrom('open', 'working', 'done', 'back')
const number: Arbitrary<number> = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, -0.25, 1e21, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 3.3),
)
const time = fc.integer({ min: -3, max: 3 }).map((hours) => new Date(Date.UTC(2026, 0, 5, 9) + hours * 3_600_000).toISOString())
const storeTime = fc.integer({ min: -3, max: 3 }).map((hours) => ({ $now: hours * 3_600_000 }))
const tag = fc.constantFrom('a', 'b', 'c', '1', 'true', '"', '{}')

const values: Record<string, Arbitrary<unknown>> = {
  status,
  n: number,
  owner: text,
  at: time,
  title: text,
  weight: number,
  flag: fc.boolean(),
  note: text,
}
const nullable = new Set(['n', 'owner'])
const fields = Object.keys(values)

function valueOf(field: string): Arbitrary<unknown> {
  return values[field] as Arbitrary<unknown>
}

/** Document without its id. */
export const body: Arbitrary<Record<string, unknown>> = fc
  .record(
    {
      ...Object.fromEntries(fields.map((field) => [field, nullable.has(field) ? fc.option(valueOf(field)) : valueOf(field)])),
      tags: fc.array(tag, { maxLength: 3 }),
      data: fc.object({
        maxDepth: 1,
        maxKeys: 2,
        key: fc.constantFrom('a', 'b c', 'é'),
        values: [fc.integer(), fc.constantFrom('x', 'é')],
      }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

export const docs = fc.array(body, { minLength: 0, maxLength: 25 }).chain((bodies) =>
  fc
    .uniqueArray(
      text.filter((id) => id !== ''),
      { minLength: bodies.length, maxLength: bodies.length, selector: (id) => id },
    )
    .map((ids) => bodies.map((one, i) => ({ itemId: ids[i] as string, ...one }))),
)

function operandOf(field: string): Arbitrary<unknown> {
  return field === 'at' ? fc.oneof(time, storeTime) : valueOf(field)
}

const condition: Arbitrary<object> = fc.constantFrom(...fields, 'itemId', 'tags').chain((field): Arbitrary<object> => {
  if (field === 'tags')
    return fc.oneof(
      tag.map((has) => ({ tags: { has } })),
      fc.boolean().map((exists) => ({ tags: { exists } })),
    )
  const operand = field === 'itemId' ? text : operandOf(field)
  const orNull = fc.option(operand, { freq: 4 })
  const list = fc.oneof(
    { weight: 6, arbitrary: fc.array(orNull, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(orNull, { minLength: 65, maxLength: 70 }) },
  )
  const bound = fc.constantFrom('lt', 'lte', 'gt', 'gte').chain((operator) => operand.map((value) => ({ [operator]: value })))
  const kinds: Arbitrary<unknown>[] = [
    orNull,
    orNull.map((eq) => ({ eq })),
    orNull.map((ne) => ({ ne })),
    list.map((values) => ({ in: values })),
    list.map((values) => ({ nin: values })),
    fc.boolean().map((exists) => ({ exists })),
  ]
  if (field !== 'flag')
    kinds.push(
      bound,
      fc.tuple(bound, bound).map(([a, b]) => ({ ...a, ...b })),
    )
  if (field !== 'flag' && field !== 'n' && field !== 'weight')
    kinds.push(
      text.map((prefix) => ({ prefix })),
      text.map((contains) => ({ contains })),
    )
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

export const sort: Arbitrary<Record<string, 1 | -1>> = fc
  .uniqueArray(fc.constantFrom(...fields, 'itemId'), { maxLength: 3 })
  .chain((chosen) =>
    fc
      .array(fc.constantFrom(1 as const, -1 as const), { minLength: chosen.length, maxLength: chosen.length })
      .map((directions) => Object.fromEntries(chosen.map((field, i) => [field, directions[i] as 1 | -1]))),
  )

/** Each field is changed by one operator at most, as the contract asks. */
export const update: Arbitrary<Record<string, unknown>> = fc
  .uniqueArray(fc.constantFrom(...fields, 'tags'), { maxLength: 5 })
  .chain((chosen) => fc.tuple(...chosen.map((field) => change(field))))
  .map((changes) => {
    const result: Record<string, unknown> = {}
    for (const { operator, field, operand } of changes) {
      if (operator === 'unset') result.unset = [...((result.unset as string[] | undefined) ?? []), field]
      else result[operator] = { ...(result[operator] as object | undefined), [field]: operand }
    }
    return result
  })

interface Change {
  readonly operator: string
  readonly field: string
  readonly operand?: unknown
}

function change(field: string): Arbitrary<Change> {
  const by = (operators: readonly string[], operand: Arbitrary<unknown>): Arbitrary<Change> =>
    fc.record({ operator: fc.constantFrom(...operators), field: fc.constant(field), operand })
  const unset: Arbitrary<Change> = fc.constant({ operator: 'unset', field })
  if (field === 'tags') return fc.oneof(unset, by(['push', 'addToSet', 'pull'], tag), by(['set'], fc.array(tag, { maxLength: 2 })))
  if (field === 'flag') return fc.oneof(unset, by(['set'], fc.boolean()))
  const operators = field === 'n' || field === 'weight' ? ['set', 'min', 'max', 'inc'] : ['set', 'min', 'max']
  return fc.oneof(unset, by(operators, operandOf(field)))
}
