import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreFinding } from '@gateway/kernel'
import type { CollectionRef } from '@gateway/sdk'
import type { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { isDamage } from './errors.ts'
import { emptied, readIdentityFile } from './identity.ts'
import { checkIntegrity } from './integrity.ts'
import { openReader } from './open-database.ts'
import { kindOf, unusable } from './schema.ts'

const MAKE_READABLE =
  'Make room on the disk, and give the folder `store` to the user who runs the service: SQLite needs both to read it. It may be sound.'
const RESTORE = 'Stop the gateway, keep a copy of the folder `store`, and restore the last `gateway backup`.'
const EMPTIED = `${RESTORE} To begin with a new store instead, set GATEWAY_NEW_STORE=1 for one start.`
const OTHER_FOLDER = 'Set GATEWAY_DATA_DIR to another folder, or move that file away.'
const OTHER_VERSION = 'Run the version that wrote it, or choose another data folder.'

const ok = (detail: string): StoreFinding => ({ outcome: 'ok', detail })
const fail = (detail: string, fix: string): StoreFinding => ({ outcome: 'fail', detail, fix })

/** Reads without writing, so it may run while the service runs. */
export async function checkStore(dataDir: string, collections: readonly CollectionRef[]): Promise<readonly StoreFinding[]> {
  const path = join(dataDir, 'store', 'gateway.db')
  // Throws for a path that this user may not look at, which would otherwise count as missing.
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    return [checkEmpty(dataDir, path, `none yet; made at the first start at ${path}`)]
  try {
    const reader = openReader(await loadDriver(), path)
    try {
      return await checkFile(reader, dataDir, path, collections)
    } finally {
      reader.close()
    }
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    return [fail(`${path} cannot be read: ${message}`, isDamage(error) ? RESTORE : MAKE_READABLE)]
  }
}

async function checkFile(
  reader: Connection,
  dataDir: string,
  path: string,
  collections: readonly CollectionRef[],
): Promise<readonly StoreFinding[]> {
  const kind = kindOf(reader)
  if (kind === 'empty') return [checkEmpty(dataDir, path, `${path} is new: nothing was written yet`)]
  const fault = unusable(reader, path, kind)
  if (fault !== undefined) return [{ ...fail(fault, kind === 'foreign' ? OTHER_FOLDER : OTHER_VERSION), of: 'schema' }]
  const readable: StoreFinding = { ...ok('this version can read it'), of: 'schema' }
  const [first, ...more] = await checkIntegrity(path, collections)
  if (first === undefined) return [readable, ok(`${path} is sound`)]
  return [readable, fail(`${path}: ${first.replaceAll('\n', ' ')}${more.length > 0 ? ` (and ${more.length} more)` : ''}`, RESTORE)]
}

/** An empty place is either a first start or the remains of a store. */
function checkEmpty(dataDir: string, path: string, fresh: string): StoreFinding {
  const loss = emptied(path, readIdentityFile(dataDir))
  return loss === undefined ? ok(fresh) : fail(loss, EMPTIED)
}
