import { defineJob, dueIn } from '@gateway/sdk'
import { redemptions } from '../collections.ts'
import { settle, settleUses } from '../operations/settle.ts'

/** On its schedule it only finishes leftovers of a crash; redeeming a code runs it by hand. */
export const settleJob = defineJob('gift-codes.settle', {
  everySeconds: 60,
  due: [dueIn(redemptions, { state: 'pending' })],
  uses: settleUses,
  run: settle,
})
