import { BadRequest, cutText, type TextRule, textTest } from '@gateway/sdk'
import { expectationOf } from '@gateway/sdk/portable'
import { Operation } from './operation.ts'

/** The part of JSON Schema that the fields of an operation use. */
interface Rule {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly rule?: TextRule
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: Rule
}
const RULES = Operation.properties as unknown as Readonly<Record<string, Rule>>

/**
 * Checks one entry of a batch by itself, so that a malformed one refuses no other. Throws BAD_REQUEST naming the first field whose value no
 * action takes.
 */
export function readOperation(entry: unknown, index: number): Operation {
  const at = `operations[${index}]`
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw badValue(at, 'must be an object', entry)
  const given = entry as Readonly<Record<string, unknown>>
  if (given.action === undefined) throw BadRequest({ field: `${at}.action`, message: `\`${at}.action\` is missing.` })
  for (const [name, value] of Object.entries(given)) {
    const field = `${at}.${name}`
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined
    if (!rule) {
      const known = Object.keys(RULES).join(', ')
      throw BadRequest({ field, message: `\`${cutText(field, 200)}\` is not known here; known are: ${known}.` })
    }
    if (value !== undefined) check(rule, value, field)
  }
  return given as Operation
}

function check(rule: Rule, value: unknown, field: string): void {
  const { type, items, minLength = 0, maxLength = Infinity, pattern, minimum = -Infinity, maximum = Infinity, maxItems = Infinity } = rule
  if (rule.enum && !rule.enum.includes(value)) throw badValue(field, `must be one of ${rule.enum.join(', ')}`, value)
  if (type !== undefined && !isOfType(type, value)) throw badValue(field, expectationOf({ keyword: 'type', params: { type } }), value)
  if (typeof value === 'string') {
    if (value.length < minLength) throw badValue(field, bound('minLength', minLength), value)
    if (value.length > maxLength) throw badValue(field, bound('maxLength', maxLength), value)
    if (rule.rule && !textTest(rule.rule)(value)) throw badValue(field, `must ${rule.rule.must}`, value)
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) throw badValue(field, `must match ${pattern}`, value)
  }
  if (typeof value === 'number') {
    if (!(value >= minimum)) throw badValue(field, bound('minimum', minimum), value)
    if (!(value <= maximum)) throw badValue(field, bound('maximum', maximum), value)
  }
  if (!Array.isArray(value)) return
  if (value.length > maxItems) throw badValue(field, bound('maxItems', maxItems), value)
  if (items) for (const [index, item] of value.entries()) check(items, item, `${field}[${index}]`)
}

const bound = (keyword: string, limit: number): string => expectationOf({ keyword, params: { limit } })

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

function badValue(field: string, expected: string, value: unknown): Error {
  const got = Array.isArray(value) ? `an array of ${value.length}` : cutText(JSON.stringify(value), 80)
  return BadRequest({ field, message: `\`${field}\` ${expected}; got ${got}.` })
}
