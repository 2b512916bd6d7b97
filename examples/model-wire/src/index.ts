import { modelWires } from '@gateway/plugin-providers/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { ollama } from './ollama.ts'

/** The native API of Ollama as a wire of providers: `"wire": "ollama"` and `"baseUrl": "http://127.0.0.1:11434"`. */
export default definePlugin({
  id: 'model-wire',
  sdk: '^1.0.0',
  description: 'The native API of Ollama as a wire of providers.',
  contributes: [contribute(modelWires, { create: () => ollama })],
})
