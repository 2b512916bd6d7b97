import type { Subject } from '@gateway/sdk/testing'
import { openSqlite, type SqliteOptions, type SqliteStore } from '../../src/storage/sqlite/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const silent = { warn() {} }

interface SqliteSubject extends Subject {
  readonly store: SqliteStore
  readonly dataDir: string
  reopen(): Promise<SqliteStore>
}

/** An embedded store in a folder of its own. */
export async function subject(options: Pick<SqliteOptions, 'clock'> & Partial<SqliteOptions>): Promise<SqliteSubject> {
  const folder = temporaryFolder()
  const open = (): Promise<SqliteStore> => openSqlite({ dataDir: folder.path, log: silent, ...options })
  const opened = [await open()]
  return {
    store: opened[0] as SqliteStore,
    dataDir: folder.path,
    async reopen() {
      const store = await open()
      opened.push(store)
      return store
    },
    async dispose() {
      for (const store of opened) await store.close()
      folder.remove()
    },
  }
}
