/** Exit codes of a command, for scripts. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** The service answered with a refusal. */
  refused: 2,
  /** No service answers at the URL. */
  unreachable: 3,
  usage: 64,
} as const
/** A code of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Recognised by brand, not by `instanceof`: two copies of this package can be loaded in one process. */
const BRAND = Symbol.for('@gateway/sdk.CommandError')

/**
 * Error of a command that cannot do its work: one sentence for the person at the terminal, and the exit code. It needs no stack.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly [BRAND] = true
  readonly exitCode: ExitCode
  /** The service's error record, printed instead of the sentence with `--json`. */
  readonly record: object | undefined
  constructor(exitCode: ExitCode, message: string, record?: object) {
    super(message)
    this.exitCode = exitCode
    this.record = record
  }
}

/** True for a CommandError of this copy of the SDK or of another one. */
export function isCommandError(error: unknown): error is CommandError {
  return typeof error === 'object' && error !== null && (error as { [BRAND]?: unknown })[BRAND] === true
}
