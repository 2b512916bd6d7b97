import { cutText } from '@gateway/sdk'
import { expectationOf, type JsonSchema } from '@gateway/sdk/portable'
import type { ErrorObject } from './compile.ts'
import { misnamedMember, nearName } from './suggestion.ts'

/** Names the field, the expected and the received value; `show` decides how much of the value. */
export function explain(fault: ErrorObject, show = describe): { message: string; field: string } {
  const at = path(fault.instancePath)
  const params = fault.params as Record<string, unknown>
  switch (fault.keyword) {
    case 'required': {
      const misnamed = misnamedMember(fault.parentSchema as JsonSchema, fault.data as JsonSchema)
      if (misnamed) return unknownMember(at, misnamed.given, knownNames(fault), misnamed.meant)
      const field = join(at, String(params.missingProperty))
      return { field, message: `\`${field}\` is missing.` }
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const given = String(params.additionalProperty ?? params.unevaluatedProperty)
      const free = knownNames(fault).filter((name) => !Object.hasOwn(fault.data as object, name))
      return unknownMember(at, given, knownNames(fault), nearName(given, free))
    }
    case 'propertyNames': {
      const given = String(params.propertyName)
      const { enum: names, pattern } = fault.schema as { readonly enum?: readonly string[]; readonly pattern?: string }
      if (names) return unknownMember(at, given, names, nearName(given, names))
      const field = join(at, given)
      const rule = pattern === undefined ? 'has a name of the wrong length' : `must have a name that matches ${pattern}`
      return { field, message: `\`${field}\` ${rule}.` }
    }
    default:
      return { field: at, message: `\`${at || 'arguments'}\` ${expectationOf(fault)}; got ${show(fault.data)}.` }
  }
}

function unknownMember(at: string, given: string, names: readonly string[], meant: string | undefined): { message: string; field: string } {
  const field = join(at, given)
  const known = `\`${field}\` is not known here; known are: ${names.join(', ') || 'none'}.`
  return { field, message: meant === undefined ? known : `${known} Did you mean \`${join(at, meant)}\`?` }
}

const knownNames = ({ parentSchema }: ErrorObject): string[] => Object.keys((parentSchema as { properties?: object }).properties ?? {})

const path = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((joined, part) => (/^\d+$/.test(part) ? `${joined}[${part}]` : join(joined, part)), '')

const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

/** The received value, short enough to read: a caller's whole document does not belong in an error. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON has no infinity, and would call one null.
  const text = typeof value === 'number' ? numberText(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 80 ? `${cutText(text, 77)}… (${text.length} characters)` : text
}

/** JSON.parse rounds integers beyond the safe ones, so their digits are not shown. */
function numberText(value: number): string {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded ? `one of about ${value.toExponential(2)}` : String(value)
}
