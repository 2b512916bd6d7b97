import type { Clock } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'

/** The store the settings name. Adapters are loaded on demand: a driver that is not used costs nothing. */
export async function openStore({ settings, clock, log }: { settings: Settings; clock: Clock; log: Logger }): Promise<Store> {
  const warnings = { warn: (message: string, fields?: object) => log.warn(fields ?? {}, message) }
  if (settings.mongodbUrl !== undefined) {
    const { openMongo } = await import('@gateway/storage-mongodb')
    return openMongo({ url: settings.mongodbUrl, clock, log: warnings, timeoutMs: settings.mongodbTimeoutMs })
  }
  const { openSqlite } = await import('@gateway/storage-sqlite')
  return openSqlite({
    dataDir: settings.dataDir,
    newStore: settings.newStore,
    clock,
    log: warnings,
  })
}
