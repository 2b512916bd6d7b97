import { defineService } from './service.ts'

/** The files of the store, for a family that removed text for good. */
export interface StoreFiles {
  /**
   * Makes the next start rewrite the files, so that no byte of removed documents is left in them. Cheap; `data_retention_purge`
   * rewrites them at once. Free pages are overwritten in any case: left are words in the text index, and the log.
   */
  scrubAtNextStart(): Promise<void>
}
/** Provided by the kernel. */
export const storeFiles = defineService<StoreFiles>('gateway.store-files', 'process')
