import { contribute, type GettingStartedStep, gettingStarted } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'

const api = {
  wire: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the file's own syntax
  apiKey: '${ANTHROPIC_API_KEY}',
  models: { standard: '<model>' },
}
const file = { plugins: { providers: { providers: { api } } } }

export const configureProvider = contribute(gettingStarted, {
  uses: { pool },
  create: ({ pool }): GettingStartedStep => ({
    id: 'configure-provider',
    order: 40,
    title: 'Configure a provider of models',
    text: 'Agents and skills of the gateway call models through it. Add a provider to `gateway.config.json`, set its key in the environment, and start the gateway again. docs/guides/models.md has other vendors.',
    capability: 'operator',
    snippets: [
      { label: 'gateway.config.json', code: JSON.stringify(file, null, 2) },
      { label: 'Shell', code: 'export ANTHROPIC_API_KEY=…\nnpm start' },
    ],
    link: { to: '/providers' },
    isDone: async () => pool.configured,
  }),
})
