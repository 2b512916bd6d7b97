import { defineJob, dueIn, now } from '@gateway/sdk'
import { reservations } from '../collections.ts'
import { releaseExpired, releaseUses } from '../operations/release.ts'

export const releaseExpiredJob = defineJob('budgets.release-expired', {
  everySeconds: 60,
  due: [dueIn(reservations, { expiresAt: { lte: now() } })],
  uses: releaseUses,
  async run({ atomically, ...refs }) {
    let released = 0
    for (;;) {
      const some = await atomically((tx) => releaseExpired(refs, tx))
      if (some === 0) return { released }
      released += some
    }
  },
})
