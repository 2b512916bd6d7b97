/** The built service with one more tool, which answers from memory: shows the cost of a call without the tool's work. */
import { main } from '@gateway/cli'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'

const peek = defineTool({
  name: 'bench_peek',
  description: 'The next task of a repository; always null. Answers from memory.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ repo: Type.Optional(Type.String({ description: 'A repository.' })) }, closed),
  output: Type.Object({ task: Type.Null() }),
  handle: () => Promise.resolve({ task: null }),
})
const bench = definePlugin({ id: 'bench', sdk: '^1.0.0', description: 'A tool to measure calls with.', tools: [peek] })

const plugins = (): Promise<typeof standardPlugins> => Promise.resolve([...standardPlugins, bench])
process.exitCode = await main({ plugins, argv: ['start'], env: process.env })
