import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sync } from '@gateway/storage'
import type { Connection } from './connection.ts'

export const IDENTITY = 'gateway:store'

/**
 * Identity of a store: an id in the database and the same id in the data folder. A database that was emptied, or has lost its
 * log, looks new to SQLite; the id in the folder shows that there was another.
 */
export interface FolderIdentity {
  /** The id in the data folder. */
  readonly id: string | undefined
  /** True if the audit trail has records. */
  readonly trail: boolean
  /** True if a gateway on a store that nodes share has used the folder, which gives it the id of a node. */
  readonly node: boolean
}

const identityFile = (dataDir: string): string => join(dataDir, 'keys', 'store.id')

export function readIdentityFile(dataDir: string): FolderIdentity {
  const path = identityFile(dataDir)
  const trail = join(dataDir, 'audit')
  return {
    id: existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined,
    trail: existsSync(trail) && readdirSync(trail).some((name) => holdsFiles(join(trail, name))),
    node: existsSync(join(dataDir, 'node.id')),
  }
}

const holdsFiles = (folder: string): boolean => statSync(folder).isDirectory() && readdirSync(folder).length > 0

/** Explains why an empty store is not a new one. */
export function emptied(path: string, { id, trail, node }: FolderIdentity): string | undefined {
  if (id === undefined && !trail) return undefined
  const what = existsSync(path) ? 'holds nothing' : 'is not there'
  const witness = id === undefined ? 'the audit trail beside it has records' : 'there was a store in this data folder'
  const other = node ? ' The gateway of this folder has run on MongoDB: if it still does, set MONGODB_URL.' : ''
  return `${path} ${what}, but ${witness}: it was emptied or removed, or has lost its log (\`gateway.db-wal\`).${other}`
}

/** A store of an earlier version has none. */
function readIdentity(db: Connection): string | undefined {
  if (!db.get('select 1 from sqlite_schema where name = ?', [IDENTITY])) return undefined
  return db.get(`select id from "${IDENTITY}"`)?.id as string | undefined
}

/**
 * Gives a store its id, and copies it to the data folder once it is durable: in the other order a power cut in between would
 * leave a new store that looks emptied. It is not checkpointed, so that it is lost together with the log.
 */
export function keepIdentity(db: Connection, path: string, dataDir: string, { id: known }: FolderIdentity): void {
  let id = readIdentity(db)
  if (id === undefined) {
    id = randomUUID()
    db.exec(`create table "${IDENTITY}" (id text not null); insert into "${IDENTITY}" values ('${id}')`)
    sync(`${path}-wal`)
  }
  if (id !== known) writeIdentity(identityFile(dataDir), id)
}

function writeIdentity(file: string, id: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${id}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  sync(dirname(file))
  sync(dirname(dirname(file)))
}
