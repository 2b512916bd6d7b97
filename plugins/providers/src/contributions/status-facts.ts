import { contribute, statusFacts } from '@gateway/sdk'
import { host } from '../operations/host.ts'

export const llmFact = contribute(statusFacts, {
  uses: { host },
  create:
    ({ host }) =>
    async () => ({ llm: host.configured ? 'configured' : 'not_configured' }),
})
