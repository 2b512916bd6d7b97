import { sampleValue } from '../support/sample-arguments.ts'
import { shaped } from './shapes.ts'

export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
}
export interface Long<T = unknown> {
  /** The path of the argument, as `operations[].title`. */
  readonly path: string
  readonly value: T
}
export interface Room {
  /** Size of the body in bytes. */
  readonly bytes: number
  /** Number of names and values in the body. */
  readonly values: number
  /** Values of arguments by their names, so that calls find their objects. */
  readonly samples: ReadonlyMap<string, unknown>
}

/** Values of a schema. In each of them one argument is as long as the schema and the room allow. */
export function longValues(schema: Schema, part: string, room: Room, name = ''): readonly Long[] {
  if (schema.const !== undefined || schema.enum) return []
  if (schema.anyOf) return schema.anyOf.flatMap((one) => longValues(one, part, room, name))
  switch (schema.type) {
    case 'string':
      return longTexts(schema, part, room.bytes)
    case 'array':
      return longArrays(schema, part, room, name)
    case 'object':
      return [...longMembers(schema, part, room), ...longMaps(schema, part, room)]
    case undefined:
      return [...longTexts({}, part, room.bytes), { path: '', value: nested(Math.min(30, room.values)) }]
    default:
      return []
  }
}

function longTexts(
  { maxLength = Number.MAX_SAFE_INTEGER, minLength = 0, pattern }: Schema,
  part: string,
  bytes: number,
): readonly Long<string>[] {
  const fits = new RegExp(pattern ?? '', 'u')
  const parts = [part, part.replaceAll(/[\n\t\ud83d]/gu, ' '), part.replaceAll(/[^A-Za-z0-9]/gu, 'a'), '9']
  for (const one of parts) {
    const written = (JSON.stringify(one).length - 2) / one.length + Buffer.byteLength(one) / one.length - 1
    const length = Math.floor(Math.min(maxLength, Math.max(0, bytes) / Math.max(1, written)))
    for (const value of [shaped(one, length), shaped(one, length).slice(0, -1)])
      if (value.length >= Math.max(1, minLength) && fits.test(value)) return [{ path: '', value }]
  }
  return []
}

/** Returns an array of many items, and one with a long item. */
function longArrays({ items = {}, maxItems = Number.MAX_SAFE_INTEGER }: Schema, part: string, room: Room, name: string): readonly Long[] {
  const parts = 2 * Object.keys(items.properties ?? {}).length + 1
  const count = Math.max(0, Math.min(maxItems, Math.floor(room.values / parts) - 1, Math.floor(room.bytes / 4)))
  const share = {
    ...room,
    bytes: Math.floor(room.bytes / Math.max(1, count)) - 8,
    values: Math.max(1, Math.floor(room.values / Math.max(1, count))),
  }
  const single = longValues(items, part, room, name).map(({ path, value }) => ({ path: `[]${path}`, value: [value] }))
  const many = longValues(items, part, share, name)
    .slice(0, 40)
    .map(({ path, value }) => ({ path: `[${count}]${path}`, value: Array.from({ length: count }, (_, n) => distinct(value, n)) }))
  return [
    ...single,
    ...many,
    { path: `[${count}]`, value: Array.from({ length: count }, (_, n) => distinct(sampleOf(items, name, room), n)) },
  ]
}

/** Makes items differ where their type allows it. */
function distinct(value: unknown, n: number): unknown {
  if (typeof value === 'number') return value + n
  if (typeof value === 'string') return value.length > 8 ? `${n}${value.slice(String(n).length)}` : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, typeof item === 'number' ? item + n : item]))
}

function longMembers({ properties = {}, required = [] }: Schema, part: string, room: Room): readonly Long[] {
  const base = Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, name, room)]))
  const rest = { ...room, bytes: room.bytes - JSON.stringify(base).length - 200, values: room.values - 2 * Object.keys(base).length - 4 }
  return Object.entries(properties).flatMap(([name, schema]) =>
    longValues(schema, part, rest, name).map(({ path, value }) => ({ path: `.${name}${path}`, value: { ...base, [name]: value } })),
  )
}

/** Objects of any names: deep, wide, and with one long value. */
function longMaps(
  { properties, patternProperties, additionalProperties, maxProperties = Number.MAX_SAFE_INTEGER }: Schema,
  part: string,
  room: Room,
): readonly Long[] {
  const member = Object.values(patternProperties ?? {})[0] ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
  if (!patternProperties && (additionalProperties === false || (properties && additionalProperties === undefined))) return []
  const count = Math.max(0, Math.min(maxProperties, Math.floor(room.values / 2) - 1, Math.floor(room.bytes / 40)))
  const sample = sampleOf(member, '', room)
  const wide = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${shaped(part, 16)}${n}`, sample ?? 'sample']))
  const any = member.type === undefined ? [{ path: '{deep}', value: { a: nested(28) } }] : []
  return [
    ...longValues(member, part, room).map(({ path, value }) => ({ path: `{}${path}`, value: { sample: value } })),
    { path: `{${count}}`, value: wide },
    ...any,
  ]
}

function nested(depth: number): unknown {
  let value: unknown = 'sample'
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }
  return value
}

const TEXTS = [
  'sample',
  'sample_1',
  '2026-01-01',
  '2026-01-01T00:00:00.000Z',
  '20260101T000000Z',
  '1.0.0',
  'https://example.com/x',
  '0 0 * * *',
  'a@example.com',
  'samplesamplesamplesample',
]

function sampleOf(schema: Schema, name: string, { samples }: Room): unknown {
  if (samples.has(name) && schema.type !== 'object' && schema.type !== 'array') return samples.get(name)
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((one) => [one, sampleOf(properties[one] ?? {}, one, { bytes: 0, values: 0, samples })]))
  }
  if (schema.type === 'string' && !schema.enum && schema.pattern)
    return TEXTS.find((text) => new RegExp(schema.pattern as string, 'u').test(text)) ?? 'sample'
  return sampleValue(schema as never, false)
}
