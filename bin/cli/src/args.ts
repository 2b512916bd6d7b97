import { parseArgs } from 'node:util'
import { CommandError, type CommandOptions, type CommandValues, EXIT } from '@gateway/sdk/command'
import { didYouMean } from './nearest.ts'

/** Parses the arguments after the command's name. Throws a usage error that names the wrong option. */
export function parse<O extends CommandOptions>(
  command: string,
  options: O,
  args: readonly string[],
): { readonly values: CommandValues<O> & { readonly help?: boolean }; readonly positionals: readonly string[] } {
  const known = Object.fromEntries(Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]))
  try {
    const parsed = parseArgs({ args: [...args], options: { ...known, help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
    return parsed as never
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(sentence) ?? []
    const near = unknown === undefined ? '' : didYouMean(unknown, [...Object.keys(options), 'help'], (name) => `--${name}`)
    const port = unknown === 'port' || unknown === 'host' ? ` That is a setting: GATEWAY_${unknown.toUpperCase()}.` : near
    throw new CommandError(EXIT.usage, `${sentence.replace(/\.$/, '')}; see \`gateway help ${command}\`.${port}`)
  }
}

/** True if a usage such as `[--view VIEW] [--wait SECONDS]`, or an empty one, names no argument: any argument would be lost. */
export const takesOptionsOnly = (usage: string): boolean => /^[[\]|\s]*$/.test(usage.replace(/--[a-z-]+(?: [A-Z]+)?/g, ''))
