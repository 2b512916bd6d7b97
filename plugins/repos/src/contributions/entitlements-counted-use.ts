import { countedUse } from '@gateway/plugin-entitlements/api'
import { contribute } from '@gateway/sdk'
import { cards, roster } from '../collections.ts'
import { repoCount } from '../operations/room.ts'

/** Counts the repos of the roster and of the cards, which a plan limits. */
export const reposUsed = contribute(countedUse, {
  uses: { roster, cards },
  create: (refs) => ({ limit: 'repos' as const, used: () => repoCount(refs) }),
})
