import { contribute, statusFacts } from '@gateway/sdk'
import { embeddings } from '../api.ts'

export const embeddingsStatus = contribute(statusFacts, {
  uses: { embeddings },
  create:
    ({ embeddings }) =>
    async () => ({ embeddings: embeddings.status() }),
})
