import { isToolError, type ObjectSchema } from '@gateway/sdk'
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
