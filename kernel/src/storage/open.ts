import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from './port.ts'

/** The store the settings name. Adapters are loaded on demand: a driver that is not used costs nothing. */
export async function openStore({ settings, clock, log }: { settings: Settings; clock: Clock; log: Logger }): Promise<Store> {
  const warnings = { warn: (message: string, fields?: object) => log.warn(fields ?? {}, message) }
  if (settings.mongodbUrl !== undefined) {
    const { openMongo } = await import('./mongodb/index.ts')
    return openMongo({ url: settings.mongodbUrl, clock, log: warnings, timeoutMs: settings.mongodbTimeoutMs })
  }
  const { openSqlite } = await import('./sqlite/index.ts')
  return openSqlite({
    dataDir: settings.dataDir,
    clock,
    log: warnings,
  })
}
