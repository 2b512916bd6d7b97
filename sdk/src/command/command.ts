import { type MembersOf, refuseUnknown } from '../members.ts'
import type { CommandHandler } from './handler.ts'
import type { CommandOptions } from './option.ts'

/** What a module of a command exports. */
export interface CommandModule<O extends CommandOptions = CommandOptions> {
  readonly default: CommandHandler<O>
}

/** A command of `gateway`: what a list of commands shows, and where the rest is. */
export interface Command {
  readonly kind: 'command'
  /** kebab-case, unique in one gateway and none of the gateway’s own. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Its module, which nobody but who runs or explains the command loads. */
  readonly load: () => Promise<CommandModule>
}

const COMMAND: MembersOf<typeof defineCommand, 1> = { summary: true, load: true }

/**
 * Declare a command of `gateway`; listed in `commands` of a plugin. The service never runs it: the command line does, in a process of its
 * own, where it is a client of the service. `load` is `() => import('./commands/<name>.ts')`, so that a start pays nothing for it.
 */
export function defineCommand<O extends CommandOptions>(
  name: string,
  spec: { summary: string; load: () => Promise<CommandModule<O>> },
): Command {
  refuseUnknown(`command ${name}`, spec, COMMAND)
  return { kind: 'command', name, summary: spec.summary, load: spec.load as unknown as Command['load'] }
}
