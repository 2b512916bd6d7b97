import { backupPart, contribute } from '@gateway/sdk'
import { LIST_FILE } from '../operations/managed-list.ts'

/** The list is replaced as a whole: at any moment the file is a complete version. */
export const listInBackup = contribute(backupPart, { create: () => ({ name: LIST_FILE, in: 'root' as const }) })
