import { CommandError, EXIT, jsonOption, urlOption } from '@gateway/sdk/command'
import { connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { didYouMean } from '../nearest.ts'
import { type Argument, offeredTools, type ToolEntry } from '../offered-tools.ts'
import type { Output } from '../output.ts'

export default defineCommand({
  summary: 'List the tools of the running service, all or one family; or show one with its arguments.',
  usage: '[family | tool]',
  details: 'A family is the id of a plugin, as `gateway status` shows them.',
  options: { ...urlOption, ...jsonOption },
  async run({ values, positionals: [family, ...more], env, output }) {
    if (more.length > 0) throw new CommandError(EXIT.usage, 'Expected one family or tool.')
    const all = await offeredTools(connect(values.url, env))
    const tools = family === undefined ? all : all.filter(({ plugin }) => plugin === family)
    const one = tools.length === 0 ? all.find(({ name }) => name === family) : undefined
    if (one !== undefined) {
      if (values.json) output.json(one)
      else show(one, output)
      return EXIT.ok
    }
    if (tools.length === 0 && family !== undefined) {
      const families = [...new Set(all.map(({ plugin }) => plugin))]
      const near = didYouMean(family, [...families, ...all.map(({ name }) => name)])
      throw new CommandError(
        EXIT.failure,
        `No family and no tool is called ${JSON.stringify(family)}.${near} Families: ${families.join(', ')}.`,
      )
    }
    if (values.json) output.json({ count: tools.length, tools })
    else output.table(tools.map(({ name, plugin, effect, description }) => [name, plugin, effect, firstSentence(description)]))
    return EXIT.ok
  },
})

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text

function show({ name, plugin, effect, description, inputSchema = {} }: ToolEntry, output: Output): void {
  const { properties = {}, required = [] } = inputSchema
  output.line(`${name} (${plugin}, ${effect})`)
  output.line(description)
  const rows = Object.entries(properties).map(([argument, schema]) => [
    `  ${argument}${required.includes(argument) ? '' : '?'}`,
    kindOf(schema),
    [schema.description, schema.default === undefined ? undefined : `Default: ${JSON.stringify(schema.default)}.`]
      .filter(Boolean)
      .join(' '),
  ])
  output.line()
  if (rows.length === 0) output.line('It takes no arguments.')
  else output.table(rows)
}

const kindOf = ({ enum: values, type = 'any' }: Argument): string => (values ? values.map(String).join(' | ') : [type].flat().join(' | '))
