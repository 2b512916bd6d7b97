import { contribute, tenantCache } from '@gateway/sdk'
import { engine } from '../operations/engine.ts'

/** Vectors are read into memory for searches, and would stay until no search had come for a while. */
export const vectorsOfTenant = contribute(tenantCache, {
  uses: { engine },
  create: ({ engine }) => ({ forget: (tenantId) => engine.loaded.forget(tenantId) }),
})
