import { definePlugin, defineTool, Type } from '@gateway/sdk'

const tool = defineTool({
  name: 'built_in_tool',
  description: 'Has the name of another tool.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({}),
  handle: async () => ({}),
})

export default definePlugin({ id: 'second', sdk: '^1.0.0', description: 'Has a tool of a name that is taken.', tools: [tool] })
