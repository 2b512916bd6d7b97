import type { Random } from '../crash/powercut/random.ts'
import { upTo } from '../crash/powercut/random.ts'
import { type Json, pick } from './messages.ts'

/** The part of a tool's input schema that the fuzzer reads. */
export interface InputSchema {
  readonly type?: string
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly InputSchema[]
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | InputSchema
  readonly items?: InputSchema
  readonly minimum?: number
  readonly maximum?: number
}

const LONG = ['x'.repeat(300), 'x'.repeat(30_000)]
const ODD = ['', ' ', 'a', 'app', 'local', '\0', 'a\0b', '\r\n', '🎉🎉', 'e\u0301', '\u202e', "'", '"', '-1', '{}', 'null']
const MEANT = ['../../etc', '__proto__', 'constructor', '$where', '$0', '$1', '%', 'inline: health', 'https://example.com/x']
const TIMES = [
  '2026-02-30',
  '2026-13-45',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  'UTC',
  'Mars/Base',
]
const TEXTS = [...LONG, ...ODD, ...MEANT, ...TIMES, '* * * * *', '0 0 31 2 *']
const NUMBERS = [0, -0, -1, 0.5, 1e-300, 5e-324, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 8.64e15, 8.64e15 + 1]
const STRANGERS: readonly Json[] = [null, true, 'a', 1, {}, [], [[]]]

/**
 * Returns arguments that mostly fit a schema, with the oddest values that do; `seen` are texts of earlier answers, ids above all.
 */
export function argumentsFor(random: Random, schema: InputSchema, seen: readonly string[]): Json {
  if (random() < 0.03) return pick(random, STRANGERS)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(random, schema.enum)
  if (schema.anyOf) return argumentsFor(random, pick(random, schema.anyOf), seen)
  switch (schema.type) {
    case 'string':
      return pick(random, seen.length > 0 && random() < 0.5 ? seen : TEXTS)
    case 'integer':
    case 'number':
      return random() < 0.5 ? pick(random, NUMBERS) : within(random, schema)
    case 'boolean':
      return random() < 0.5
    case 'array':
      return Array.from({ length: pick(random, [0, 1, 1, 2, 20]) }, () => argumentsFor(random, schema.items ?? {}, seen))
    case 'object':
      return objectFor(random, schema, seen)
    default:
      return pick(random, STRANGERS)
  }
}

function within(random: Random, { minimum = 0, maximum = 100 }: InputSchema): number {
  return minimum + upTo(random, Math.min(maximum - minimum, 1_000_000) + 1)
}

function objectFor(random: Random, { properties = {}, required = [], additionalProperties }: InputSchema, seen: readonly string[]): Json {
  const given = Object.entries(properties).filter(([name]) => random() < (required.includes(name) ? 0.98 : 0.4))
  const members = given.map(([name, schema]): [string, Json] => [name, argumentsFor(random, schema, seen)])
  if (typeof additionalProperties === 'object') members.push([pick(random, TEXTS), argumentsFor(random, additionalProperties, seen)])
  return Object.fromEntries(members)
}
