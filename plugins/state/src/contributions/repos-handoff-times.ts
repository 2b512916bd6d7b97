import { type HandoffTimes, handoffTimes } from '@gateway/plugin-repos/api'
import { contribute } from '@gateway/sdk'
import { heads } from '../collections.ts'

/** A single read covers all repos: the time of the latest entry is written with it. */
export const repoHandoffTimes = contribute(handoffTimes, {
  uses: { heads },
  create: ({ heads }): HandoffTimes => ({
    of: async (repos) => new Map((await heads.getMany(repos)).map(({ repo, updatedAt }) => [repo, updatedAt])),
  }),
})
