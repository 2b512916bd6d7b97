import { defineContribution } from './contribution.ts'

/**
 * How a file or folder of a family is kept in a backup. Whatever lies in the data folder is copied as it is, file by file, also where
 * nobody says anything: say it where files that change meanwhile would not fit together, where they lie elsewhere, or where nothing is
 * worth keeping. It is copied after the store: what the store knows of is in the copy, and what came since may be.
 */
export interface BackupPart {
  /** Its name in the data folder, and in the backup; `in: 'root'` for one of the framework root. */
  readonly name: string
  readonly in?: 'data' | 'root'
  /** Where it lies where that is elsewhere: absolute. A restore puts it under its name. */
  readonly path?: string | undefined
  /** False for what is made anew, or can be had again. */
  readonly kept?: boolean
  /** Copies `from`, which is there, to `to`, which is not, while the service writes. Runs beside it, in a process of its own. */
  copy?(from: string, to: string): Promise<void>
  /** What is wrong with a restored one: a sentence for each fault. */
  verify?(path: string): Promise<readonly string[]>
}
/** Take part in `gateway backup` and `gateway restore`. No gateway runs there: `uses` may name the plugin’s settings, and nothing else. */
export const backupPart = defineContribution<BackupPart>('gateway.backup-part')
