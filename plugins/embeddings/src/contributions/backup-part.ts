import { backupPart, contribute } from '@gateway/sdk'

/** Models are installed, and can be had again. */
export const modelsInBackup = contribute(backupPart, { create: () => ({ name: 'models', kept: false }) })
