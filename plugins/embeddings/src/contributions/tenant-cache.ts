import { contribute, tenantCache } from '@gateway/sdk'
import { embeddings } from '../api.ts'

/** The texts of the latest queries are cached for all callers: when a tenant ends, all of them are dropped. */
export const queriesOfTenant = contribute(tenantCache, {
  uses: { embeddings },
  create: ({ embeddings }) => ({ forget: () => embeddings.forgetQueries() }),
})
