import { BadRequest, type ObjectSchema } from '@gateway/sdk'
import { type ErrorObject, lazyValidator } from './compile.ts'
import { describe, explain } from './explain.ts'

/**
 * A validator of arguments: takes what the caller sent, returns a checked copy, or throws BAD_REQUEST. The tenant is
 * derived from the caller; a `tenantId` argument is dropped before anything looks at it, unless it is the subject of
 * an operator’s route that declares it.
 */
export function argumentsValidator(schema: ObjectSchema): (args: unknown) => Record<string, unknown> {
  const check = lazyValidator(schema, { composes: true })
  const keepsTenantId = 'tenantId' in ((schema as { properties?: object }).properties ?? {})
  return (args) => {
    const given = namedArguments(args, keepsTenantId)
    const fault = check(given)
    if (fault) throw BadRequest(explain(fault, isSecret(fault) ? lengthAlone : describe))
    return given
  }
}

export const isSecret = ({ parentSchema }: ErrorObject): boolean => (parentSchema as { secret?: unknown } | undefined)?.secret === true

/** For a secret only its length is shown. */
export const lengthAlone = (value: unknown): string =>
  typeof value === 'string' ? `${value.length} characters, which are not shown` : 'something that is not shown'

/** More than any tool has: thousands would take longer to copy than to read. */
const MAX_NAMES = 1_000

/** A copy of what the caller sent, which must be an object. */
export function namedArguments(args: unknown, keepsTenantId = false): Record<string, unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw BadRequest({ message: `The arguments must be one JSON object of named arguments, got ${describe(args)}.` })
  }
  const count = Object.keys(args).length
  if (count > MAX_NAMES) throw BadRequest({ message: `The arguments must have at most ${MAX_NAMES} names, got ${count}.` })
  // Uses rest instead of spread: V8 leaves a spread object no room, and filling in a default then costs more than all the checks.
  const { tenantId, ...given } = args as Record<string, unknown>
  if (keepsTenantId && tenantId !== undefined) given.tenantId = tenantId
  return given
}
