import { type ObjectSchema, Type } from './schema.ts'

const idempotencyKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A retry with the same key gets the first answer.',
})

/**
 * Adds the argument `idempotencyKey` to the input of a tool that creates something. The gateway itself reads it, on every write
 * tool that declares it; the handler does not see it.
 */
export function withIdempotencyKey<const S extends ObjectSchema>(input: S): S {
  const { properties } = input as { readonly properties?: object }
  return { ...input, properties: { ...properties, idempotencyKey } }
}
