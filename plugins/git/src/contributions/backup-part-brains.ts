import { backupPart, contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { copyRepositories, verifyRepositories } from '../operations/backup.ts'

/** The repositories of the tenants, each as of one moment of its refs, with all reachable objects. */
export const brainsInBackup = contribute(backupPart, {
  uses: { config },
  create: ({ config }) => ({
    name: 'brains',
    path: config.brains,
    copy: (from, to) => copyRepositories(from, to, config),
    verify: (folder) => verifyRepositories(folder, config),
  }),
})
