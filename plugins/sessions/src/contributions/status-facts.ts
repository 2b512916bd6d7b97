import { closed, contribute, statusFacts, Type } from '@gateway/sdk'
import { sessions } from '../collections.ts'

/** Counting stops there: of more than so many the number says nothing, and `/status` is asked every few seconds. */
const MAX_COUNT = 10_000
const count = Type.Integer({ minimum: 0, maximum: MAX_COUNT })

/** How many conversations the tenant of the asker has, and how many of them are open. */
export const sessionFacts = contribute(statusFacts, {
  uses: { sessions },
  create: ({ sessions }) => ({
    schema: { sessions: Type.Object({ total: count, active: count }, closed) },
    unread: { sessions: { total: 0, active: 0 } },
    async read() {
      const [total, active] = await Promise.all([
        sessions.count({}, { max: MAX_COUNT }),
        sessions.count({ status: 'active' }, { max: MAX_COUNT }),
      ])
      return { sessions: { total, active } }
    },
  }),
})
