import { BadRequest, Forbidden } from './error.ts'

/** Arguments of an operation that a confined credential may pass. */
export interface ConfinedCall {
  /** Arguments with the one value that they may have; it is filled in when the caller leaves it out. */
  readonly fixed: Readonly<Record<string, string>>
  /** Arguments that the caller chooses. Any other argument is refused. */
  readonly free: readonly string[]
}
/**
 * Limits of a credential that was issued for one piece of work: the tools and routes that it may call, by name. They take the place
 * of the capabilities of its role, and it may do nothing else.
 */
export type Confinement = Readonly<Record<string, ConfinedCall>>

/**
 * Returns the arguments of a confined call with the fixed ones filled in. Throws FORBIDDEN for an argument that goes beyond them, and
 * BAD_REQUEST for anything but an object: nothing may read a text as arguments after this check.
 */
export function confinedArguments(confinement: Confinement, operation: string, args: unknown): Readonly<Record<string, unknown>> {
  const { fixed, free } = confinedCall(confinement, operation)
  const given = args ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    const got = Array.isArray(given) ? 'array' : typeof given
    throw BadRequest({ message: `The arguments must be one JSON object of named arguments, got one of the type ${got}.` })
  }
  for (const [name, value] of Object.entries(given)) {
    const only = Object.hasOwn(fixed, name) ? fixed[name] : undefined
    if (only === undefined ? !free.includes(name) : value !== undefined && value !== only) {
      throw beyond(
        `\`${name}\` of ${operation} ${only === undefined ? 'cannot be set' : `can only be ${JSON.stringify(only)}`} with this key.`,
      )
    }
  }
  return { ...given, ...fixed }
}

/** Returns the limits of one operation. Throws FORBIDDEN for an operation that is not among them. */
export function confinedCall(confinement: Confinement, operation: string): ConfinedCall {
  const allowed = Object.hasOwn(confinement, operation) ? confinement[operation] : undefined
  if (allowed === undefined) throw beyond(`${operation} is not among the operations of this key.`)
  return allowed
}

const beyond = (message: string): Error => Forbidden({ message })
