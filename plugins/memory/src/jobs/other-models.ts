import { defineJob } from '@gateway/sdk'
import { requeueOtherModels } from '../operations/other-models.ts'
import { memoryUses } from '../operations/uses.ts'

/** Runs after a change of the model: a searching tenant is handled at once, all others within the hour. */
export const otherModelsJob = defineJob('memory.other-models', {
  everySeconds: 3_600,
  activeTenantsOnly: true,
  uses: memoryUses,
  run: async (uses, ctx) => ({ requeued: await requeueOtherModels(uses, ctx) }),
})
