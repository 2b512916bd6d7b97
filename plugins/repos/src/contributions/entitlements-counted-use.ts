import { countedUse } from '@gateway/plugin-entitlements/api'
import { contribute } from '@gateway/sdk'
import { roster } from '../collections.ts'

/** Counting stops here: no plan has so many. */
const COUNT_UP_TO = 100_000

/** The repos of the roster are what a plan allows so many of. */
export const reposUsed = contribute(countedUse, {
  uses: { roster },
  create: ({ roster }) => ({ limit: 'repos' as const, used: () => roster.count({}, { max: COUNT_UP_TO }) }),
})
