import { backupPart, contribute } from '@gateway/sdk'

/** Made at the first use. */
export const hooksInBackup = contribute(backupPart, { create: () => ({ name: 'git-hooks', kept: false }) })
