import { backupPart, contribute } from '@gateway/sdk'
import { LIST_FILE } from '../operations/managed-list.ts'

/** The list is replaced as a whole: at any moment the file is one of them. */
export const listInBackup = contribute(backupPart, { create: () => ({ name: LIST_FILE, in: 'root' as const }) })
