import { type MembersOf, refuseUnknown } from '../members.ts'
import type { ExitCode } from './exit.ts'
import type { CommandOptions, CommandValues } from './option.ts'
import type { CommandOutput } from './output.ts'
import type { ServiceClient } from './service-client.ts'

/** Context of a running command. It runs in a process of its own, on the service's machine or elsewhere. */
export interface CommandInvocation<O extends CommandOptions = CommandOptions> {
  readonly values: CommandValues<O>
  /** Arguments after the name that are not options. */
  readonly positionals: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly output: CommandOutput
  /**
   * The running service: at `--url` where the command has `urlOption`, else at GATEWAY_URL, else the one of the last `gateway login`,
   * else the local one. It is called as GATEWAY_LOCAL_TOKEN, else GATEWAY_API_KEY, else the key that `gateway login` kept for it, else
   * without a credential. A remembered service on another machine never gets GATEWAY_LOCAL_TOKEN.
   */
  connect(): ServiceClient
  /** The same for the operator’s routes, with ADMIN_API_TOKEN. Throws wrong usage where that is not set, or the service is elsewhere and only remembered. */
  connectAsAdmin(): ServiceClient
  /** Connects with the trust of this machine, or GATEWAY_LOCAL_TOKEN in its own header, and without a key. */
  connectAsLocal(): ServiceClient
}

/** Description and code of a command, without its name. */
export interface CommandHandler<O extends CommandOptions = CommandOptions> {
  /** Arguments after the name: `NAME [--most N]`. If it names only options, any other argument is refused. */
  readonly usage: string
  /** Further paragraphs of its help. */
  readonly details: string | undefined
  readonly options: O
  readonly run: (invocation: CommandInvocation<O>) => Promise<ExitCode>
}

const HANDLER: MembersOf<typeof commandHandler> = { usage: true, details: true, options: true, run: true }

/** Declares the code of a command: the default export of its module, which `defineCommand` loads. */
export function commandHandler<const O extends CommandOptions = Record<never, never>>(handler: {
  usage?: string
  details?: string
  options?: O
  run: (invocation: CommandInvocation<O>) => Promise<ExitCode>
}): CommandHandler<O> {
  refuseUnknown('a command handler', handler, HANDLER)
  const { usage = '', details, options = {} as O, run } = handler
  return { usage, details, options, run }
}
