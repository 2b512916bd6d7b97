import { definePlugin, defineTool, Type } from '@gateway/sdk'

export const misspelt = (changes) =>
  definePlugin({
    id: 'misspelt',
    sdk: '^1.0.0',
    description: 'Has a word that no compiler looked at.',
    tools: [
      defineTool({
        name: 'misspelt_tool',
        description: 'Returns nothing.',
        capability: 'operator',
        effect: 'read',
        input: Type.Object({}, { additionalProperties: false }),
        output: Type.Object({}),
        handle: async () => ({}),
        ...changes,
      }),
    ],
  })

export default misspelt({ capability: 'opertor' })
