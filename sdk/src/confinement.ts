import { Forbidden } from './error.ts'

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

/** Returns the arguments of a confined call with the fixed ones filled in. Throws FORBIDDEN for an argument that goes beyond them. */
export function confinedArguments(confinement: Confinement, operation: string, args: unknown): unknown {
  const allowed = Object.hasOwn(confinement, operation) ? confinement[operation] : undefined
  if (allowed === undefined) throw beyond(`${operation} is not among the operations of this key.`)
  const given = args ?? {}
  // Anything that is no object is left to validation, which refuses it.
  if (typeof given !== 'object' || Array.isArray(given)) return args
  for (const [name, value] of Object.entries(given)) {
    const fixed = Object.hasOwn(allowed.fixed, name) ? allowed.fixed[name] : undefined
    if (fixed === undefined ? !allowed.free.includes(name) : value !== undefined && value !== fixed) {
      throw beyond(
        `\`${name}\` of ${operation} ${fixed === undefined ? 'cannot be set' : `can only be ${JSON.stringify(fixed)}`} with this key.`,
      )
    }
  }
  return { ...given, ...allowed.fixed }
}

const beyond = (message: string): Error => Forbidden({ message })
