import { isDamage, storeDamaged } from './errors.ts'

/**
 * What was found damaged since the start. Pages that are sound are read and written as ever: damage is the error of the
 * call that met it, and a finding of the health page until someone has seen to it and started anew.
 */
export class Damage {
  #found: string | undefined

  /** What was found first. */
  get found(): string | undefined {
    return this.#found
  }

  /** The error as the call is to have it. */
  notice(error: unknown): unknown {
    if (!isDamage(error)) return error
    const told = storeDamaged(error)
    this.#found ??= told.message
    return told
  }

  /** What was read, or the error as the call is to have it. */
  noticed<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw this.notice(error)
    }
  }
}
