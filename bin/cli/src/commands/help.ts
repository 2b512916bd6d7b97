import { CommandError, type CommandOption, EXIT, type OutputRow } from '@gateway/sdk/command'
import { type Command, defineCommand } from '../command.ts'
import { commands, ownCommand } from '../commands.ts'
import { findCommand } from '../find-command.ts'
import type { Output } from '../output.ts'
import { pluginCommands, type Scene } from '../plugin-commands.ts'

export default defineCommand({
  summary: 'Explain a command, or list all.',
  usage: '[command]',
  options: {},
  async run({ positionals: [name, ...more], output, env, cwd, plugins }) {
    if (more.length > 0) throw new CommandError(EXIT.usage, 'Expected one command.')
    if (name === undefined) return overview(output, { env, cwd, plugins })
    describe(name, await findCommand(name, { env, cwd, plugins }), output)
    return EXIT.ok
  },
})

async function overview(output: Output, scene: Scene): Promise<typeof EXIT.ok> {
  const own = await Promise.all(Object.keys(commands).map(async (name) => row(name, (await ownCommand(name))?.summary ?? '')))
  const { found, unread } = await pluginCommands(scene)
  output.line('Start and run the gateway of a fleet of AI agents, and call a running one.')
  output.line()
  output.line('Usage: gateway <command> [arguments] [options]')
  output.line()
  output.table([...own, ...found.map(({ command }) => row(command.name, command.summary))])
  output.line()
  output.line('`gateway help <command>` says more of one. Settings come from GATEWAY_* variables and the config file.')
  output.line(
    `Exit codes: ${EXIT.ok} done, ${EXIT.failure} failed, ${EXIT.refused} refused by the service, ` +
      `${EXIT.unreachable} no service reached, ${EXIT.usage} wrong usage.`,
  )
  for (const sentence of unread) output.complain(`gateway: ${sentence}`)
  return EXIT.ok
}

const row = (name: string, summary: string): OutputRow => [`  ${name}`, summary]

function describe(name: string, { summary, usage, details, options }: Command, output: Output): void {
  output.line(summary)
  output.line()
  output.line(`Usage: gateway ${name} ${usage}`.trimEnd())
  if (details) output.line(`\n${details}`)
  const rows = Object.entries(options).map(([option, spec]) => [`  ${spelled(option, spec)}`, spec.description])
  if (rows.length === 0) return
  output.line()
  output.table(rows)
}

const spelled = (name: string, { value }: CommandOption): string => (value === undefined ? `--${name}` : `--${name} ${value}`)
