/** An option of a command, written `--name`. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  /** May be repeated; the value is then a list. */
  readonly multiple?: boolean
  readonly description: string
  /** Placeholder of the value in the help: `URL` in `--url URL`. */
  readonly value?: string
}
/** Options of a command by name, in the order of its help. Every command also has `help`. */
export type CommandOptions = Readonly<Record<string, CommandOption>>

type ValueOf<O extends CommandOption> = O['type'] extends 'boolean' ? boolean : O extends { multiple: true } ? string[] : string
/** Values of a command's options; absent options are absent. */
export type CommandValues<O extends CommandOptions> = { readonly [K in keyof O]?: ValueOf<O[K]> }

/** `--json`, for a command that can print its answer as JSON. Its errors are JSON then too. */
export const jsonOption = { json: { type: 'boolean', description: 'Print JSON, for scripts.' } } as const satisfies CommandOptions
/** `--url`: of a command that calls a service. `connect` goes by it. */
export const urlOption = {
  url: {
    type: 'string',
    value: 'URL',
    description: 'The service to call. Default: GATEWAY_URL, else that of the last login, else the local one.',
  },
} as const satisfies CommandOptions
