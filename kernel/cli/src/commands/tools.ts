import { jsonOption, urlOption } from '../args.ts'
import { connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'

interface ToolEntry {
  readonly name: string
  readonly description: string
  readonly plugin: string
  readonly effect: string
}

export default defineCommand({
  summary: 'List the tools of the running service, all or one family.',
  usage: '[family]',
  details: 'A family is the id of a plugin, as `gateway status` shows them.',
  options: { ...urlOption, ...jsonOption },
  async run({ values, positionals: [family], env, output }) {
    const { tools: all } = (await connect(values.url, env).get('/api/tools')) as { tools: readonly ToolEntry[] }
    const tools = family === undefined ? all : all.filter(({ plugin }) => plugin === family)
    if (tools.length === 0 && family !== undefined) {
      const families = [...new Set(all.map(({ plugin }) => plugin))].join(', ')
      throw new CliError(EXIT.failure, `No tools of a family ${JSON.stringify(family)}; there are: ${families}.`)
    }
    if (values.json) output.json({ count: tools.length, tools })
    else output.table(tools.map(({ name, plugin, effect, description }) => [name, plugin, effect, firstSentence(description)]))
    return EXIT.ok
  },
})

const firstSentence = (text: string): string => /^.*?[.:;](?=\s|$)/s.exec(text)?.[0] ?? text
