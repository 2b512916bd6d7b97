import { backupPart, contribute } from '@gateway/sdk'

/** Not backed up: created at the first use. */
export const hooksInBackup = contribute(backupPart, { create: () => ({ name: 'git-hooks', kept: false }) })
