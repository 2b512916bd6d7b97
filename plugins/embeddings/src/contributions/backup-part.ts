import { backupPart, contribute } from '@gateway/sdk'

/** Models are installed, and can be fetched again. */
export const modelsInBackup = contribute(backupPart, { create: () => ({ name: 'models', kept: false }) })
