import { isDamage, storeDamaged } from './errors.ts'

/**
 * Damage found since the start. Sound pages are read and written as usual: damage is the error of the call that met it, and a
 * finding of the health page until somebody repairs it and restarts.
 */
export class Damage {
  #found: string | undefined

  get found(): string | undefined {
    return this.#found
  }

  /** Records damage that was found before any call, such as a log that was cut. */
  report(found: string): void {
    this.#found ??= found
  }

  /** The error in the form for the call. */
  notice(error: unknown): unknown {
    if (!isDamage(error)) return error
    const translated = storeDamaged(error)
    this.#found ??= translated.message
    return translated
  }

  noticed<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw this.notice(error)
    }
  }
}
