import { contribute, statusFacts, Type } from '@gateway/sdk'
import { host } from '../operations/host.ts'

export const llmFact = contribute(statusFacts, {
  uses: { host },
  create: ({ host }) => ({
    schema: { llm: Type.Enum(['configured', 'not_configured']) },
    unread: { llm: 'not_configured' },
    read: async () => ({ llm: host.configured ? 'configured' : 'not_configured' }),
  }),
})
