import { repoFolders } from '@gateway/plugin-repos/api'
import { defineJob } from '@gateway/sdk'
import { dueMirrors, handoffs } from '../collections.ts'
import { mirrorDue } from '../operations/mirror.ts'

/** What a kill, or a file that could not be written, has kept out of a handoff file. */
export const mirrorJob = defineJob('state.mirror', {
  everySeconds: 300,
  uses: { handoffs, dueMirrors, folders: repoFolders },
  async run({ folders, ...uses }, ctx) {
    for (const repo of await uses.dueMirrors.distinct('repo')) {
      if (ctx.signal.aborted) return
      const place = await folders.find(repo)
      if (place) await mirrorDue(place, uses, ctx)
    }
  },
})
