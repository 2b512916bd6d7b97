import { defineConfig, definePlugin } from '@gateway/sdk'

const schema = { type: 'object', properties: { word: { type: 'strin' } }, additionalProperties: false }

export default definePlugin({
  id: 'settings-without-schema',
  sdk: '^1.0.0',
  description: 'Has settings that nothing can be.',
  config: defineConfig('settings-without-schema', schema),
})
