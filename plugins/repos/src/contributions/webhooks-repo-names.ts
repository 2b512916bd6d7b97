import { hostedRepoNames } from '@gateway/plugin-webhooks/api'
import { contribute } from '@gateway/sdk'
import { repoFolders } from '../api.ts'
import { remoteNames, roster } from '../collections.ts'
import { hostedNames } from '../operations/hosted-names.ts'
import { operatorFiles, seesFiles } from '../services/operator-files.ts'

/** Events of a code host belong to the records of the repo with their remote, like the work in any clone of it. */
export const namesOfHosted = contribute(hostedRepoNames, {
  uses: { roster, remotes: remoteNames, folders: repoFolders, files: operatorFiles },
  create: ({ files, ...refs }, ctx) => ({
    namesOf: ({ name, remotes = [] }, { stores }) =>
      hostedNames({ ...refs, git: seesFiles(ctx) ? files.git : undefined }, { name, remotes }, stores),
  }),
})
