import { defineConfig, definePlugin, defineTool, Type } from '@gateway/sdk'

const closed = { additionalProperties: false }
const config = defineConfig('good', Type.Object({ word: Type.String({ default: 'good', description: 'What it says.' }) }, closed))

export default definePlugin({
  id: 'good',
  sdk: '^1.0.0',
  description: 'Starts, stops, and says a word.',
  config,
  tools: [
    defineTool({
      name: 'good_say',
      description: 'Say the word. Returns it.',
      capability: 'read',
      effect: 'read',
      rest: 'GET /api/good',
      input: Type.Object({}, closed),
      output: Type.Object({ word: Type.String() }),
      uses: { config },
      handle: async (_, { config }) => ({ word: config.word }),
    }),
  ],
})
