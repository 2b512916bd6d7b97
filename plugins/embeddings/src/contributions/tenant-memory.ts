import { contribute, tenantMemory } from '@gateway/sdk'
import { embeddings } from '../api.ts'

/** The texts of the latest queries are remembered, whoever asked: when a tenant ends, all of them go. */
export const queriesOfTenant = contribute(tenantMemory, {
  uses: { embeddings },
  create: ({ embeddings }) => ({ forget: () => embeddings.forgetQueries() }),
})
