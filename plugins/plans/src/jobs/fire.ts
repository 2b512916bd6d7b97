import { defineJob, dueIn } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { config } from '../config.ts'
import { due, fire, fireUses } from '../operations/fire.ts'

const PAGE = 200

/** Makes due days tasks. Days that were missed while the gateway was down are due at its next run, and fire once. */
export const fireDays = defineJob('plans.fire', {
  everySeconds: 15,
  activeTenantsOnly: true,
  due: [dueIn(planDays, due.where)],
  uses: { ...fireUses, config },
  async run({ config, ...refs }, ctx): Promise<number> {
    if (!config.fire) return 0
    let fired = 0
    // Anything beyond a page is left to the next run, which finds it.
    const { items } = await refs.planDays.find({ ...due, limit: PAGE })
    for (const day of items) {
      if (ctx.signal.aborted) break
      if (await fire(refs, day)) fired++
    }
    return fired
  },
})
