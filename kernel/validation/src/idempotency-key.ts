import { BadRequest, type Operation, type Tool } from '@gateway/sdk'
import { describe } from './explain.ts'

const MAX_LENGTH = 200

export interface KeyedArguments {
  readonly key: string | undefined
  /** The arguments, the key left out. */
  readonly args: Record<string, unknown>
}

/**
 * Finds the key of a call: `given` by the transport, or the optional argument `idempotencyKey` of the tool's schema. A tool that only
 * passes calls on, and a stream, take no key themselves. Throws BAD_REQUEST for a key that is not valid, and for two that differ.
 */
export function idempotencyKeyIn(operation: Operation, valid: Record<string, unknown>, given: unknown): KeyedArguments {
  if ('raw' in operation || (operation as Tool).forwardsTo !== undefined) return { key: undefined, args: valid }
  const { idempotencyKey: named, ...args } = valid
  if (named === undefined || !isKeyArgument(operation.input)) return { key: checked(given), args: valid }
  if (given !== undefined && given !== named) {
    throw BadRequest({
      field: 'idempotencyKey',
      message: 'idempotencyKey must be equal to the Idempotency-Key of the request; they differ.',
    })
  }
  return { key: checked(named), args }
}

function isKeyArgument(schema: object): boolean {
  const { properties = {}, required = [] } = schema as {
    properties?: { idempotencyKey?: { type?: unknown } }
    required?: readonly string[]
  }
  const property = properties.idempotencyKey
  return property?.type === 'string' && !required.includes('idempotencyKey')
}

function checked(key: unknown): string | undefined {
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_LENGTH) return key
  const got = typeof key === 'string' ? `${key.length}` : describe(key)
  throw BadRequest({ field: 'Idempotency-Key', message: `Idempotency-Key must be a text of 1 to ${MAX_LENGTH} characters; got ${got}.` })
}
