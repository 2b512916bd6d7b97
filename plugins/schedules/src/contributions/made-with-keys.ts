import { contribute, madeWithKeys, throughout } from '@gateway/sdk'
import { schedules } from '../collections.ts'
import { handOver } from '../operations/hand-over.ts'

/** Schedules run in the name of the key they were made with. */
export const schedulesOfKeys = contribute(madeWithKeys, {
  uses: { everywhere: throughout(schedules) },
  create: ({ everywhere }) => ({ handOver: (tenantId, from, to) => handOver(everywhere.of(tenantId), from, to) }),
})
