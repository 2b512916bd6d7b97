import { type MembersOf, refuseUnknown } from '../members.ts'
import type { CommandHandler } from './handler.ts'
import type { CommandOptions } from './option.ts'

/** Exports of a command's module. */
export interface CommandModule<O extends CommandOptions = CommandOptions> {
  readonly default: CommandHandler<O>
}

/** A command of `gateway`: its line in the list of commands, and the loader of the rest. */
export interface Command {
  readonly kind: 'command'
  /** kebab-case, unique in one gateway and different from the gateway's own commands. */
  readonly name: string
  /** Line for the list of commands. */
  readonly summary: string
  /** Its module, loaded only to run or explain the command. */
  readonly load: () => Promise<CommandModule>
}

const COMMAND: MembersOf<typeof defineCommand, 1> = { summary: true, load: true }

/**
 * Declares a command of `gateway`; list it in `commands` of a plugin. The service never runs it: the command line runs it in a
 * process of its own, as a client of the service. `load` is `() => import('./commands/<name>.ts')`, so that a start costs
 * nothing for it.
 */
export function defineCommand<O extends CommandOptions>(
  name: string,
  spec: { summary: string; load: () => Promise<CommandModule<O>> },
): Command {
  refuseUnknown(`command ${name}`, spec, COMMAND)
  return { kind: 'command', name, summary: spec.summary, load: spec.load as unknown as Command['load'] }
}
