import { provide, waitFor } from '@gateway/sdk'
import { taskGates } from '../api.ts'
import { taskClaimable } from '../operations/claimable.ts'

export const gatesProvider = provide(taskGates, {
  uses: { arrivals: waitFor(taskClaimable) },
  create: ({ arrivals }) => ({ changed: () => arrivals.lookAgain() }),
})
