import { gatewayWide, on } from '@gateway/sdk'
import { experiences } from '../collections.ts'
import { addExperience } from '../operations/add-experience.ts'
import { modelObserved } from '../operations/events.ts'
import { pool } from '../operations/provider-pool.ts'

/** Adds the outcomes of calls of this process to those of all nodes. */
export const observed = on(modelObserved, {
  uses: { wide: gatewayWide(experiences), pool },
  async handle(observation, { wide, pool }, ctx) {
    const stored = await addExperience(wide.writable(), observation, ctx.now())
    if (stored) pool.experience.wrote(observation, stored)
    else pool.experience.keep(observation, ctx.now().getTime())
  },
})
