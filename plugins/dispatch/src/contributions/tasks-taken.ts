import { mailbox } from '@gateway/plugin-mailbox/api'
import { taskTaken } from '@gateway/plugin-tasks/api'
import { atomically, contribute } from '@gateway/sdk'
import { offers } from '../collections.ts'
import { withdrawOffer } from '../operations/offers.ts'

export const offersOfTaken = contribute(taskTaken, {
  uses: { offers, mail: mailbox, atomically },
  create: ({ offers, mail, atomically }) => ({
    async taken(taskId) {
      if (await offers.get(taskId)) await atomically((tx) => withdrawOffer({ offers, mail }, taskId, tx))
    },
  }),
})
