import { contribute, statusFacts } from '@gateway/sdk'
import { sessionCounts } from '../api.ts'

/** How many conversations the tenant of the asker has, and how many of them are open. */
export const sessionFacts = contribute(statusFacts, {
  uses: { counts: sessionCounts },
  create:
    ({ counts }) =>
    async () => ({ sessions: { ...(await counts.read()) } }),
})
