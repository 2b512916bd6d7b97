import { type Confinement, confinedArguments, confinedCall, isToolError, type ObjectSchema } from '@gateway/sdk'
import { lenientArguments } from '@gateway/sdk/lenient'

type Validate = (args: unknown) => Record<string, unknown>

/**
 * Validates arguments, and once more as `lenientArguments` reads them when they are refused as they came. Valid arguments cost nothing
 * more.
 */
export function validateLeniently(validate: Validate, schema: ObjectSchema, args: unknown): Record<string, unknown> {
  try {
    return validate(args)
  } catch (refusal) {
    const read = isToolError(refusal) ? lenientArguments(schema, args) : args
    if (read === args) throw refusal
    return validate(read)
  }
}

/**
 * Validates the arguments of a confined call. They are read first, so that the limits of the credential see them as the handler will, and
 * are not read again. A fixed argument may be left out, so null counts as absent there too.
 */
export function validateConfined(
  validate: Validate,
  schema: ObjectSchema,
  call: ConfinedOperation,
  args: unknown,
): Record<string, unknown> {
  const { fixed } = confinedCall(call.confinement, call.name)
  const { required = [] } = schema as { readonly required?: readonly string[] }
  const readable = { ...schema, required: required.filter((name) => !Object.hasOwn(fixed, name)) }
  return validate(confinedArguments(call.confinement, call.name, lenientArguments(readable, args)))
}

interface ConfinedOperation {
  readonly confinement: Confinement
  readonly name: string
}
