/** Schemas and arguments made to keep a gateway busy: within the bounds, and far beyond them. */

type Json = Readonly<Record<string, unknown>>

const object = (properties: object, more: object = {}): Json => ({ type: 'object', properties, ...more })
const items = (schema: object): Json => object({ a: { items: schema } })
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const named = (count: number, value: unknown, name = (i: number): string => `k${i}`): Json =>
  Object.fromEntries(many(count, (i) => [name(i), value]))
const longNames = named(24, true, (i) => `${'n'.repeat(60)}${i}`)

/** The schema of each is accepted; the arguments have about the maximum of bytes, or of names and values. */
export const HOSTILE_CALLS: Readonly<Record<string, { readonly schema: Json; readonly args: Json }>> = {
  'every item held against a hundred schemas': {
    schema: items({ allOf: many(97, () => ({ type: ['number', 'string'], minimum: -1 })) }),
    args: { a: many(19_900, () => 1) },
  },
  'alternatives none of which holds': {
    schema: items({ oneOf: many(97, (i) => object({}, { required: [`x${i}`] })) }),
    args: { a: many(9_900, () => ({})) },
  },
  'a giant enumeration of objects': {
    schema: items({ enum: many(200, (i) => ({ x: [i] })) }),
    args: { a: many(4_900, () => ({ x: [199] })) },
  },
  'a giant enumeration, and an object with thousands of names': {
    schema: object({ a: { enum: many(200, (i) => ({ x: i })) } }),
    args: { a: named(6_000, 1) },
  },
  'items that must differ': {
    schema: items({ uniqueItems: true, maxItems: 100 }),
    args: { a: many(100, () => many(65, (i) => ({ i }))) },
  },
  'thousands of names, each a text of its own': {
    schema: object({ a: { propertyNames: { allOf: many(96, () => ({ pattern: '^[a-z0-9]*$' })) } } }),
    args: { a: named(5_000, 1) },
  },
  'a hundred patterns over one long text': {
    schema: object({ a: { allOf: many(97, () => ({ pattern: '^[a-z]*$', maxLength: 65_000 })) } }),
    args: { a: 'a'.repeat(65_000) },
  },
  'a hundred counts of the names of one object': {
    schema: object({ a: { allOf: many(97, () => ({ minProperties: 1, maxProperties: 100_000 })) } }),
    args: { a: named(6_000, 1) },
  },
  'fifty schemas for each further name': {
    schema: object({ a: { allOf: many(48, () => ({ additionalProperties: { type: 'integer' } })) } }),
    args: { a: named(6_000, 1) },
  },
  'a hundred looks at one long list': {
    schema: object({ a: { anyOf: many(97, () => ({ items: false })) } }),
    args: { a: many(19_900, () => 1) },
  },
  'alternatives that would have much to say': {
    schema: items({ anyOf: [...many(4, () => ({ additionalProperties: false, properties: longNames })), {}] }),
    args: { a: many(6_600, () => ({ z: 1 })) },
  },
  'a large default for each of many items': {
    schema: items(object({ d: { default: many(3_000, () => ({})) } })),
    args: { a: many(9_900, () => ({})) },
  },
  'a long text as the default of each of many items': {
    schema: items(object({ d: { default: 'x'.repeat(15_000) } })),
    args: { a: many(9_900, () => ({})) },
  },
  'defaults that each add a name to thousands': {
    schema: object({ a: { allOf: many(48, (i) => object({ [`d${i}`]: { default: 1 } }, { minProperties: 1 })) } }),
    args: { a: named(5_000, 1) },
  },
}

/** Refused: the first two by their body, the others only after they were read. */
export const HOSTILE_SCHEMAS: Readonly<Record<string, Json>> = {
  'with hundreds of thousands of values': object({ a: { default: many(340_000, () => ({})) } }),
  'with tens of thousands of properties': object(named(60_000, {})),
  'with as many properties as a body may name': object(named(6_600, {})),
  'with as many keywords as a body may name': named(9_900, 1),
  'with objects that each have other names': object({ a: { default: many(860, (i) => named(10, 1, (k) => `${k}_${i}`)) } }),
  'with a text of a megabyte': object({ a: { description: 'é'.repeat(500_000) } }),
  'that is nested a thousand deep': nested(1_000),
  'of references that double one another': object(named(1, { $ref: '#/$defs/d0' }), {
    $defs: Object.fromEntries(many(30, (i) => [`d${i}`, { allOf: many(2, () => ({ $ref: `#/$defs/d${i + 1}` })) }])),
  }),
  'with a pattern that never ends': object({ a: { pattern: '^(a+)+$' } }),
}

function nested(depth: number): Json {
  let schema: Json = {}
  for (let i = 0; i < depth; i++) schema = { not: schema }
  return object({ a: schema })
}
