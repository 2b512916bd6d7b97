import { contribute, statusFacts, Type } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'

export const llmFact = contribute(statusFacts, {
  uses: { pool },
  create: ({ pool }) => ({
    schema: { llm: Type.Enum(['configured', 'not_configured']) },
    unread: { llm: 'not_configured' },
    read: async () => ({ llm: pool.configured ? 'configured' : 'not_configured' }),
  }),
})
