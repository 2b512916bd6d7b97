import { defineJob, dueIn, now } from '@gateway/sdk'
import { reservations } from '../collections.ts'
import { chargeLost, chargeLostUses } from '../operations/charge-lost.ts'

/** Charges the calls of dead processes. */
export const chargeLostJob = defineJob('budgets.charge-lost', {
  everySeconds: 60,
  due: [dueIn(reservations, { expiresAt: { lte: now() } })],
  uses: chargeLostUses,
  async run({ atomically, ...refs }) {
    let expired = 0
    for (;;) {
      const some = await atomically((tx) => chargeLost({ ...refs, atomically }, tx))
      if (some === 0) return { expired }
      expired += some
    }
  },
})
