import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute } from '@gateway/sdk'
import { refreshes } from '../collections.ts'

/** A push to a branch lets the graph of its repo be read again, so that the next question does not wait for it. */
export const pushedRepos = contribute(codeHosting, {
  uses: { refreshes },
  create: ({ refreshes }) => ({
    async pushed({ repo: { name: repo }, branch, commit, receivedAt: nextTryAt }, tx) {
      if (branch === undefined || commit === undefined) return []
      const set = { commit, nextTryAt, attempts: 0 }
      await refreshes.in(tx).upsert({ repo, ...set }, { set })
      return []
    },
  }),
})
