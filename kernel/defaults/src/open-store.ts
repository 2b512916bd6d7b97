import type { Clock } from '@gateway/kernel'
import type { Metrics } from '@gateway/metrics'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'

/** Opens the store that the settings name. Adapters are loaded on demand, so an unused driver costs nothing. */
export async function openStore(parts: { settings: Settings; clock: Clock; log: Logger; metrics?: Metrics }): Promise<Store> {
  const { settings, clock, log, metrics } = parts
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
    ...(metrics && { metrics }),
  })
}
