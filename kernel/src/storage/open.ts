import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from './port.ts'

/** The store the settings name. Adapters are loaded on demand: a driver that is not used costs nothing. */
export async function openStore({ settings, clock, log }: { settings: Settings; clock: Clock; log: Logger }): Promise<Store> {
  if (settings.mongodbUrl !== undefined) {
    throw new Error('MONGODB_URL is set, but this version has no MongoDB store yet; unset it to use the embedded store.')
  }
  const { openSqlite } = await import('./sqlite/index.ts')
  return openSqlite({
    dataDir: settings.dataDir,
    clock,
    log: { warn: (message, fields) => log.warn(fields ?? {}, message) },
  })
}
