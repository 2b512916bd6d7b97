import type { Plugin } from '@gateway/sdk'
import { CommandError, EXIT, type ExitCode, isCommandError } from '@gateway/sdk/command'
import { parse, takesOptionsOnly } from './args.ts'
import type { Env } from './command.ts'
import { findCommand } from './find-command.ts'
import { withLocalToken } from './local-token-file.ts'
import { didYouMean } from './nearest.ts'
import { type Output, terminalOutput } from './output.ts'
import { systemErrorAdvice } from './system-error-advice.ts'
import { subcommands } from './usage-words.ts'

export interface MainOptions {
  /** Plugins of the distribution; requested only by commands that need them. */
  readonly plugins: () => Promise<readonly Plugin[]>
  /** Arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Env
  /** Base of relative paths. Default: the process's folder. */
  readonly cwd?: string
  /** Default: the process’s own streams. */
  readonly output?: Output
}

export async function main(options: MainOptions): Promise<ExitCode> {
  const { output = terminalOutput(options.env) } = options
  try {
    return await dispatch(options, output)
  } catch (error) {
    return explain(error, output, options.argv.includes('--json'))
  }
}

const FLAGS: ReadonlyMap<string, string> = new Map([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
  ['-v', 'version'],
])

/** A start reads the file of the local token itself, as it may have to create it; the others call no service. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set(['start', 'help', 'version', 'completion'])

async function dispatch(options: MainOptions, output: Output): Promise<ExitCode> {
  const { plugins, cwd = process.cwd() } = options
  const [first, ...rest] = options.argv
  if (first === undefined) throw new CommandError(EXIT.usage, 'Expected a command; `gateway help` lists them.')
  const name = FLAGS.get(first) ?? first
  const command = await findCommand(name, { plugins, env: options.env, cwd })
  const { values, positionals } = parse(name, command.options, rest)
  if (values.help) return dispatch({ ...options, argv: ['help', name] }, output)
  if (positionals.length > 0 && takesOptionsOnly(command.usage))
    throw new CommandError(EXIT.usage, `Expected options only; got ${JSON.stringify(positionals[0])}.`)
  if (!command.answersUnknownSubcommands) refuseUnknownSubcommand(name, command.usage, positionals[0])
  const env = WITHOUT_TOKEN.has(name) ? options.env : withLocalToken(options.env)
  return command.run({ values, positionals, env, cwd, output, plugins })
}

function refuseUnknownSubcommand(command: string, usage: string, given: string | undefined): void {
  const known = subcommands(usage)
  if (given === undefined || known.length === 0 || known.includes(given)) return
  throw new CommandError(
    EXIT.usage,
    `\`gateway ${command}\` takes one of: ${known.join(', ')}; got ${JSON.stringify(given)}.${didYouMean(given, known)}`,
  )
}

/** Prints an expected fault as a sentence (or one per fault); any other keeps its stack, for debugging. */
function explain(error: unknown, output: Output, json: boolean): ExitCode {
  const exitCode = isCommandError(error) ? error.exitCode : EXIT.failure
  for (const sentence of sentences(error)) output.complain(`gateway: ${sentence}`)
  if (json) output.json((isCommandError(error) && error.record) || { error: sentences(error).join('\n') })
  return exitCode
}

function sentences(error: unknown): readonly string[] {
  if (isCommandError(error)) return [error.message]
  const { faults } = error as { faults?: readonly string[] }
  if (Array.isArray(faults)) return faults
  const refused = systemErrorAdvice(error)
  if (refused !== undefined) return [refused]
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}
