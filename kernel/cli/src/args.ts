import { parseArgs } from 'node:util'
import { CliError, EXIT } from './exit.ts'
import { didYouMean } from './nearest.ts'

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly description: string
  /** What stands for the value in the help: `URL` in `--url URL`. */
  readonly value?: string
}
export type Options = Readonly<Record<string, Option>>

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : O extends { multiple: true } ? string[] : string
export type Values<O extends Options> = { readonly [K in keyof O]?: ValueOf<O[K]> }

export const jsonOption = { json: { type: 'boolean', description: 'Print JSON, for scripts.' } } as const satisfies Options
export const urlOption = {
  url: { type: 'string', value: 'URL', description: 'The service to ask. Default: GATEWAY_URL, else the local one.' },
} as const satisfies Options

/** What stands after the command’s name. Throws a usage error that says which option is wrong. */
export function parse<O extends Options>(
  command: string,
  options: O,
  args: readonly string[],
): { readonly values: Values<O> & { readonly help?: boolean }; readonly positionals: readonly string[] } {
  const known = Object.fromEntries(Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]))
  try {
    const parsed = parseArgs({ args: [...args], options: { ...known, help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
    return parsed as never
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(sentence) ?? []
    const near = unknown === undefined ? '' : didYouMean(unknown, [...Object.keys(options), 'help'], (name) => `--${name}`)
    const port = unknown === 'port' || unknown === 'host' ? ` That is a setting: GATEWAY_${unknown.toUpperCase()}.` : near
    throw new CliError(EXIT.usage, `${sentence.replace(/\.$/, '')}; see \`gateway help ${command}\`.${port}`)
  }
}
