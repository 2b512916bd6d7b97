/** An option of a command, written `--name`. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  /** May be repeated; the value is then a list. */
  readonly multiple?: boolean
  readonly description: string
  /** What stands for the value in the help: `URL` in `--url URL`. */
  readonly value?: string
}
/** The options of a command by name, in the order of its help. `help` is there for every command. */
export type CommandOptions = Readonly<Record<string, CommandOption>>

type ValueOf<O extends CommandOption> = O['type'] extends 'boolean' ? boolean : O extends { multiple: true } ? string[] : string
/** What the options of a command were given; absent where they were not. */
export type CommandValues<O extends CommandOptions> = { readonly [K in keyof O]?: ValueOf<O[K]> }

/** `--json`: of a command that prints its answer as JSON as well. Its complaint is JSON then too. */
export const jsonOption = { json: { type: 'boolean', description: 'Print JSON, for scripts.' } } as const satisfies CommandOptions
/** `--url`: of a command that calls a service. `connect` goes by it. */
export const urlOption = {
  url: {
    type: 'string',
    value: 'URL',
    description: 'The service to call. Default: GATEWAY_URL, else that of the last login, else the local one.',
  },
} as const satisfies CommandOptions
