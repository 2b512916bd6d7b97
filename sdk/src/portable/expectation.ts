import type { TextRule } from '../text-rule.ts'

/** The members of a schema fault that are read, as ajv and TypeBox report it. */
export interface SchemaFault {
  /** The keyword of the schema that the value breaks, such as `maxLength`. */
  readonly keyword: string
  readonly params: object
  /** The value of the keyword in the schema. */
  readonly schema?: unknown
  /** The schema that has the keyword. */
  readonly parentSchema?: object
  /** The validator's own words, used for a keyword that has no wording here. */
  readonly message?: string
}

const BEYOND_INTEGERS = `must be a whole number that JSON carries exactly, from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Says in words what the schema asks for, such as "must be a string" or "must have at most 3 items". */
export function expectationOf({ keyword, params, schema, parentSchema, message }: SchemaFault): string {
  const { limit, ...more } = params as Record<string, unknown>
  switch (keyword) {
    case 'rule':
    case 'pattern': {
      const { rule } = (parentSchema ?? {}) as { rule?: TextRule }
      return rule ? `must ${rule.must}` : (message ?? 'is not valid')
    }
    case 'type':
      return `must be ${[more.type].flat().map(typeName).join(' or ')}`
    case 'enum':
      return `must be one of ${(more.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(more.allowedValue)}`
    case 'anyOf':
    case 'oneOf':
      return `must be ${alternatives(schema)}`
    case 'uniqueItems':
      return `must have each item once; items ${more.j} and ${more.i} are equal`
    case 'multipleOf':
      return `must be a multiple of ${more.multipleOf}`
    default:
      return bound(keyword, Number(limit)) ?? message ?? 'is not valid'
  }
}

function bound(keyword: string, limit: number): string | undefined {
  switch (keyword) {
    case 'minimum':
      return Math.abs(limit) === Number.MAX_SAFE_INTEGER ? BEYOND_INTEGERS : `must be at least ${limit}`
    case 'maximum':
      return Math.abs(limit) === Number.MAX_SAFE_INTEGER ? BEYOND_INTEGERS : `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`
    case 'minProperties':
      return `must have at least ${counted(limit, 'member')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'member')}`
    default:
      return undefined
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const typeName = (type: unknown): string => TYPES[String(type)] ?? String(type)

function alternatives(schema: unknown): string {
  if (!Array.isArray(schema)) return 'one of its alternatives'
  return schema
    .map((one: { const?: unknown; type?: unknown; enum?: unknown[] }) => {
      if (one.const !== undefined) return JSON.stringify(one.const)
      if (one.enum) return one.enum.join(' or ')
      return one.type === undefined ? 'another form' : typeName(one.type)
    })
    .join(' or ')
}
