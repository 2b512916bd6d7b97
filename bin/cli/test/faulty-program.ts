import { main } from '@gateway/cli'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'

/** A `gateway` whose tools leave faults behind that no call waits for; their code is the module named by FAULTY. */
const { float, crash } = (await import(process.env.FAULTY ?? '')) as { float(): void; crash(): void }
const tool = (name: string, run: () => void) =>
  defineTool({
    name,
    description: 'Leave a fault behind.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    async handle() {
      run()
      return {}
    },
  })
const faulty = definePlugin({
  id: 'faulty',
  sdk: '^1.0.0',
  description: 'Leaves faults behind.',
  tools: [tool('faulty_float', float), tool('faulty_crash', crash)],
})

process.exitCode = await main({ plugins: async () => [faulty], argv: process.argv.slice(2), env: process.env })
