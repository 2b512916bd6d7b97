import { contribute, type GettingStartedStep, gettingStarted } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'

export const configureProvider = contribute(gettingStarted, {
  uses: { pool },
  create: ({ pool }): GettingStartedStep => ({
    id: 'configure-provider',
    order: 40,
    title: 'Configure a provider of models',
    text: 'Agents and skills of the gateway call models through it. Set the API key of a provider in the environment and start the gateway again.',
    capability: 'operator',
    snippets: [{ label: 'Shell', code: 'export ANTHROPIC_API_KEY=…\nnpm start' }],
    link: { to: '/providers' },
    isDone: async () => pool.configured,
  }),
})
