import type { Option } from '../args.ts'
import { type Command, defineCommand } from '../command.ts'
import { commands, loadCommand, noCommand } from '../commands.ts'
import { EXIT } from '../exit.ts'
import type { Output } from '../output.ts'

export default defineCommand({
  summary: 'Explain a command, or list all.',
  usage: '[command]',
  options: {},
  async run({ positionals: [name], output }) {
    if (name === undefined) return overview(output)
    const command = await loadCommand(name)
    if (!command) throw noCommand(name)
    describe(name, command, output)
    return EXIT.ok
  },
})

async function overview(output: Output): Promise<typeof EXIT.ok> {
  const rows = await Promise.all(Object.keys(commands).map(async (name) => [`  ${name}`, (await loadCommand(name))?.summary ?? '']))
  output.line('Usage: gateway <command> [arguments] [options]')
  output.line()
  output.table(rows)
  output.line()
  output.line('`gateway help <command>` says more of one. Settings come from GATEWAY_* variables and the config file.')
  output.line(
    `Exit codes: ${EXIT.ok} done, ${EXIT.failure} failed, ${EXIT.refused} refused by the service, ` +
      `${EXIT.unreachable} no service reached, ${EXIT.usage} wrong usage.`,
  )
  return EXIT.ok
}

function describe(name: string, { summary, usage, details, options }: Command, output: Output): void {
  output.line(`Usage: gateway ${name} ${usage}`.trimEnd())
  output.line()
  output.line(summary)
  if (details) output.line(`\n${details}`)
  const rows = Object.entries(options).map(([option, spec]) => [`  ${spelled(option, spec)}`, spec.description])
  if (rows.length === 0) return
  output.line()
  output.table(rows)
}

const spelled = (name: string, { value }: Option): string => (value === undefined ? `--${name}` : `--${name} ${value}`)
