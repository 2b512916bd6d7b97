import { resolve } from 'node:path'
import type { StoreKind } from '@gateway/kernel'

/** The embedded store, in the data folder. The driver is loaded when it is used. */
export const sqliteKind: StoreKind = {
  name: 'sqlite',
  title: 'SQLite',
  form: 'sqlite:<data folder>',
  isEmbedded: true,
  isChosen: () => true,
  at(address, { mongodbUrl: _other, ...settings }, cwd) {
    const [, folder] = /^sqlite:(.+)$/.exec(address) ?? []
    return folder === undefined ? undefined : { ...settings, dataDir: resolve(cwd, folder) }
  },
  async open({ settings, clock, log, metrics, isCopy = false }) {
    const { openSqlite } = await import('./open.ts')
    const warnings = { warn: (message: string, fields?: object) => log.warn(fields ?? {}, message) }
    const newStore = isCopy || settings.newStore
    return openSqlite({ dataDir: settings.dataDir, newStore, clock, log: warnings, keepExpired: isCopy, ...(metrics && { metrics }) })
  },
  rows: async ({ dataDir }) => (await import('./rows.ts')).sqliteRows(dataDir),
  hold: async ({ dataDir }) => (await import('./lock.ts')).lockStore(dataDir),
  check: async ({ dataDir }, collections) => (await import('./check-store.ts')).checkStore(dataDir, collections),
  backup: { copy: async ({ dataDir }, folder) => (await import('./copy-store.ts')).copyStore(dataDir, folder) },
}
