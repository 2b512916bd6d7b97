import { repoNames } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { repoResolver } from '../api.ts'
import { isAbsolutePath, looksLikeRemote } from '../rules/remote.ts'

/** A task is put into the queue of one repo, whichever of its clones the caller names. */
export const namesOfClones = contribute(repoNames, {
  uses: { resolver: repoResolver },
  create: ({ resolver }) => ({
    nameOf: async (text, purpose) =>
      isAbsolutePath(text) || looksLikeRemote(text) ? (await resolver.resolve({ repo: text }, purpose)).name : undefined,
  }),
})
