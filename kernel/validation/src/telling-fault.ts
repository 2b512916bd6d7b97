import { literalUnion, selectedBranch } from '@gateway/sdk/lenient'
import { isSchemaObject } from '@gateway/sdk/portable'
import type { ErrorObject } from 'ajv/dist/2020.js'

const CHOICES = new Set(['const', 'enum', 'anyOf', 'oneOf'])

/**
 * Picks the most helpful fault. Without a union it is the last one. The fault of a union follows the faults of its branches,
 * and helps less than the fault of the intended branch:
 *
 * 1. A literal of the value, such as its `kind`, selects a branch; a literal that no branch has is the fault itself.
 * 2. Otherwise, if only one branch accepts the type of the value, that branch was intended.
 */
export function tellingFault(faults: readonly ErrorObject[]): ErrorObject {
  const last = faults.at(-1) as ErrorObject
  if (last.keyword !== 'anyOf' && last.keyword !== 'oneOf') return last
  const earlier = faults.slice(0, -1)
  return faultOfLiteral(last, earlier) ?? faultOfType(last, earlier) ?? last
}

function faultOfLiteral(last: ErrorObject, earlier: readonly ErrorObject[]): ErrorObject | undefined {
  const { schema, data } = last
  const union = Array.isArray(schema) && isSchemaObject(data) ? literalUnion(schema) : undefined
  if (union === undefined || !isSchemaObject(data)) return undefined
  const index = selectedBranch(union, data)
  if (index === undefined) return wrongLiteral(last, union.property, [...union.branches.values()].flat())
  const own = earlier.filter(({ schemaPath }) => schemaPath.startsWith(`${last.schemaPath}/${index}/`))
  return own.length > 0 ? tellingFault(own) : undefined
}

/** An empty array must not be told that an array was expected. */
function faultOfType(last: ErrorObject, earlier: readonly ErrorObject[]): ErrorObject | undefined {
  const [fault, another] = earlier.filter(({ keyword, instancePath }) => keyword !== 'type' || instancePath !== last.instancePath)
  return fault && !another && !CHOICES.has(fault.keyword) ? fault : undefined
}

function wrongLiteral(union: ErrorObject, property: string, literals: readonly unknown[]): ErrorObject {
  const data = union.data as Readonly<Record<string, unknown>>
  if (!Object.hasOwn(data, property)) return { ...union, keyword: 'required', params: { missingProperty: property } }
  const step = property.replaceAll('~', '~0').replaceAll('/', '~1')
  const instancePath = `${union.instancePath}/${step}`
  return { ...union, keyword: 'enum', instancePath, params: { allowedValues: literals }, data: data[property], parentSchema: {} }
}
