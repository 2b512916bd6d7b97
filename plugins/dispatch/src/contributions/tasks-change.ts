import { mailbox } from '@gateway/plugin-mailbox/api'
import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { offers } from '../collections.ts'
import { withdrawOffer } from '../operations/offers.ts'

/** Withdraws the offer of a task that leaves the queue by a change, in the same transaction. */
export const offersOfChanged = contribute(taskChange, {
  uses: { offers, mail: mailbox },
  create: (refs) => ({
    async apply({ before, after }, tx) {
      if (before.stage === 'ready' && after.stage !== 'ready') await withdrawOffer(refs, after.taskId, tx)
    },
  }),
})
