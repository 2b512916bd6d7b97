import { defineService } from './service.ts'

/** The files of the store, for a family that removed text for good. */
export interface StoreFiles {
  /**
   * Makes the next start rewrite the files, so that no byte of removed documents is left in them. Cheap; `data_retention_purge`
   * rewrites them at once. Free pages are overwritten in any case: left are words in the text index, and the log.
   */
  scrubAtNextStart(): Promise<void>
  /**
   * Removes the answers with lines of these texts that idempotency keys of the tenant keep for a day: their replays have ids alone.
   * Call it before the texts are removed. It reads all keys of the tenant, so give it many texts at once.
   */
  withdrawAnswers(tenantId: string, texts: readonly string[]): Promise<void>
}
/** Provided by the kernel. */
export const storeFiles = defineService<StoreFiles>('gateway.store-files', 'process')
