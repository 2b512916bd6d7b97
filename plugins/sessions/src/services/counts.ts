import { provide } from '@gateway/sdk'
import { sessionCounts } from '../api.ts'
import { sessions } from '../collections.ts'

/** Counting stops here: a larger number adds no information, and `/status` is requested every few seconds. */
export const MAX_COUNT = 10_000

export const countsProvider = provide(sessionCounts, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async read() {
      const [total, active] = await Promise.all([
        sessions.count({}, { max: MAX_COUNT }),
        sessions.count({ status: 'active' }, { max: MAX_COUNT }),
      ])
      return { total, active }
    },
  }),
})
