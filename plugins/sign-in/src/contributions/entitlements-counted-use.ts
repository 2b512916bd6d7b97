import { countedUse } from '@gateway/plugin-entitlements/api'
import { contribute } from '@gateway/sdk'
import { invitations, members } from '../collections.ts'
import { seatsOf } from '../operations/seats.ts'

/** Each person who signs in takes a seat of the plan, and each invitation that waits. */
export const seatsOfPeople = contribute(countedUse, {
  uses: { invitations, members },
  create: (refs, ctx) => ({
    limit: 'seats' as const,
    async used() {
      const { people, waiting } = await seatsOf(refs, ctx.now())
      return people + waiting
    },
  }),
})
