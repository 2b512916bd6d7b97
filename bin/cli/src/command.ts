import type { Plugin } from '@gateway/sdk'
import type { CommandOptions, CommandValues, ExitCode } from '@gateway/sdk/command'
import type { Output } from './output.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Invocation<O extends CommandOptions = CommandOptions> {
  readonly values: CommandValues<O>
  readonly positionals: readonly string[]
  readonly env: Env
  readonly cwd: string
  readonly output: Output
  /** Plugins of this distribution, loaded only when a command asks, since a client needs none. */
  readonly plugins: () => Promise<readonly Plugin[]>
}

/** Command of `gateway`: a module of its own, loaded when it is called. It imports heavy modules in `run`. */
export interface Command<O extends CommandOptions = CommandOptions> {
  readonly summary: string
  /** Arguments that may follow the name: `<tool> [arguments]`. If it names options only, anything else is refused. */
  readonly usage: string
  /** True if the command itself answers a subcommand that the usage does not name; otherwise that is a usage error. */
  readonly answersUnknownSubcommands?: boolean
  readonly details?: string
  readonly options: O
  run(invocation: Invocation<O>): Promise<ExitCode>
}

export const defineCommand = <const O extends CommandOptions>(command: Command<O>): Command<O> => command
