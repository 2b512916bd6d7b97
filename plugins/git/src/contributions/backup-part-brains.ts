import { backupPart, contribute } from '@gateway/sdk'
import { config } from '../config.ts'
import { copyRepositories, verifyRepositories } from '../operations/backup.ts'

/** The repositories of the tenants, each as its refs were at one moment, with all they reach. */
export const brainsInBackup = contribute(backupPart, {
  uses: { config },
  create: ({ config }) => ({
    name: 'brains',
    path: config.brains,
    copy: (from, to) => copyRepositories(from, to, config),
    verify: (folder) => verifyRepositories(folder, config),
  }),
})
