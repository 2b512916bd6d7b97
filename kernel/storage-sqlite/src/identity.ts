import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sync } from '@gateway/storage'
import type { Connection } from './connection.ts'

/** In the database, besides the collections. */
export const IDENTITY = 'gateway:store'

/**
 * Whose store this is: an id in the database and the same one beside it. A database that was emptied, or has lost its log,
 * looks like a new one to SQLite; the id beside it says that there was another.
 */
export interface Beside {
  /** The id the data folder knows. */
  readonly id: string | undefined
  /** Whether the audit trail has records. */
  readonly trail: boolean
}

const identityFile = (dataDir: string): string => join(dataDir, 'keys', 'store.id')

export function lookBeside(dataDir: string): Beside {
  const path = identityFile(dataDir)
  const trail = join(dataDir, 'audit')
  return {
    id: existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined,
    trail: existsSync(trail) && readdirSync(trail).some((name) => holdsFiles(join(trail, name))),
  }
}

const holdsFiles = (folder: string): boolean => statSync(folder).isDirectory() && readdirSync(folder).length > 0

/** Why a store without anything in it is not a new one. */
export function emptied(path: string, { id, trail }: Beside): string | undefined {
  if (id === undefined && !trail) return undefined
  const what = existsSync(path) ? 'holds nothing' : 'is not there'
  const witness = id === undefined ? 'the audit trail beside it has records' : 'there was a store in this data folder'
  return `${path} ${what}, but ${witness}: it was emptied or removed, or has lost its log (\`gateway.db-wal\`).`
}

/** Of a store of an earlier version there is none. */
function readIdentity(db: Connection): string | undefined {
  if (!db.get('select 1 from sqlite_schema where name = ?', [IDENTITY])) return undefined
  return db.get(`select id from "${IDENTITY}"`)?.id as string | undefined
}

/**
 * Gives a store its id, and puts it beside the store once it is on the disk: the other way round, a power cut between the two
 * would leave a new store that looks emptied. It is not brought out of the log, so that it is lost with it.
 */
export function keepIdentity(db: Connection, path: string, dataDir: string, { id: known }: Beside): void {
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
