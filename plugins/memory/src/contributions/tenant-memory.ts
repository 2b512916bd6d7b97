import { contribute, tenantMemory } from '@gateway/sdk'
import { engine } from '../operations/engine.ts'

/** Vectors are read into memory to be searched, and would stay there until nobody had searched for a while. */
export const vectorsOfTenant = contribute(tenantMemory, {
  uses: { engine },
  create: ({ engine }) => ({ forget: (tenantId) => engine.loaded.forget(tenantId) }),
})
