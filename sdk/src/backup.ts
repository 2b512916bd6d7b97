import { defineContribution } from './contribution.ts'

/**
 * Describes how a file or folder of a family is backed up. Everything in the data folder is copied file by file by default.
 * Declare a part if files that change meanwhile would not fit together, if they are stored elsewhere, or if nothing is worth
 * keeping. Parts are copied after the store, so everything the store refers to is in the copy, and later data may be.
 */
export interface BackupPart {
  /** Its name in the data folder and in the backup; `in: 'root'` for a part of the framework root. */
  readonly name: string
  readonly in?: 'data' | 'root'
  /** Absolute path, if it is stored elsewhere. A restore puts it under its name. */
  readonly path?: string | undefined
  /** False for data that can be recreated. */
  readonly kept?: boolean
  /** Copies `from`, which exists, to `to`, which does not, while the service writes. It runs in a process of its own. */
  copy?(from: string, to: string): Promise<void>
  /** Checks a restored part and returns a sentence per fault. */
  verify?(path: string): Promise<readonly string[]>
}
/** Takes part in `gateway backup` and `gateway restore`. No gateway runs there, so `uses` may name only the plugin's settings. */
export const backupPart = defineContribution<BackupPart>('gateway.backup-part')
