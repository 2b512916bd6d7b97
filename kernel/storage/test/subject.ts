import type { Subject } from '@gateway/testing'
import { openSqlite, type SqliteOptions, type SqliteStore } from '../../storage-sqlite/src/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const silent = { warn() {} }

interface SqliteSubject extends Subject {
  readonly store: SqliteStore
  readonly dataDir: string
  reopen(changed?: Partial<SqliteOptions>): Promise<SqliteStore>
}

export async function subject(options: Pick<SqliteOptions, 'clock'> & Partial<SqliteOptions>): Promise<SqliteSubject> {
  const folder = temporaryFolder()
  const open = (changed: Partial<SqliteOptions> = {}): Promise<SqliteStore> =>
    openSqlite({ dataDir: folder.path, log: silent, ...options, ...changed })
  const opened = [await open()]
  return {
    store: opened[0] as SqliteStore,
    dataDir: folder.path,
    async reopen(changed) {
      const store = await open(changed)
      opened.push(store)
      return store
    },
    async dispose() {
      for (const store of opened) await store.close()
      folder.remove()
    },
  }
}
