import { defineJob } from '@gateway/sdk'
import { catchUp, catchUpUses } from '../operations/catch-up.ts'

/** Indexes what was stored before an upgrade that made it found. Reads a single document of each family when nothing is left to do. */
export const catchUpJob = defineJob('memory.catch-up', {
  everySeconds: 300,
  activeTenantsOnly: true,
  uses: catchUpUses,
  run: async (uses, ctx) => ({ caughtUp: await catchUp(uses, ctx) }),
})
