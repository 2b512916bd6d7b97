import { repoResolver } from '@gateway/plugin-repos/api'
import { defineJob } from '@gateway/sdk'
import { dueMirrors, handoffs } from '../collections.ts'
import { mirrorDue } from '../operations/mirror.ts'
import { repoOf } from '../operations/resolve-repo.ts'

/** Copies entries that a kill, or a file that could not be written, has kept out of a handoff file. */
export const mirrorJob = defineJob('state.mirror', {
  everySeconds: 300,
  uses: { handoffs, dueMirrors, resolver: repoResolver },
  async run({ resolver, ...uses }, ctx) {
    for (const repo of await uses.dueMirrors.distinct('repo')) {
      if (ctx.signal.aborted) return
      const { place } = await repoOf(repo, resolver)
      if (place) await mirrorDue(place, uses, ctx)
    }
  },
})
