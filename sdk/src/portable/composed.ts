import type { JsonSchema } from './places.ts'

/** Longer texts are content, which is kept as it came. */
const LONGEST = 4_000

/**
 * Tells whether texts of this schema are names or search texts, which are compared in composed form (Unicode NFC): a text that is bounded
 * by `maxLength` or has a `pattern`. A secret, and a text with `verbatim: true` such as a path, are kept as they came.
 */
function isComposed(schema: JsonSchema): boolean {
  const { type, maxLength, pattern, secret, verbatim } = schema
  if (![type].flat().includes('string') || secret === true || verbatim === true) return false
  return typeof maxLength === 'number' ? maxLength <= LONGEST : typeof pattern === 'string'
}

/** Marks the schema for the validator of arguments, which composes such texts before it checks them. */
export function withComposed(schema: JsonSchema): JsonSchema {
  return isComposed(schema) ? { ...schema, composed: true } : schema
}
