/** What the command’s end says to a script; documented in `gateway help`. */
export const EXIT = {
  ok: 0,
  failure: 1,
  /** The service answered, and the answer is no. */
  refused: 2,
  /** No service answers at the URL. */
  unreachable: 3,
  usage: 64,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An end that needs no stack trace: the message is one sentence for the person at the terminal. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** The service’s error record, for `--json`. */
  readonly record: object | undefined
  constructor(exitCode: ExitCode, message: string, record?: object) {
    super(message)
    this.exitCode = exitCode
    this.record = record
  }
}
