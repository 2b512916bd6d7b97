import { join } from 'node:path'
import type { CollectionRef } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Connection } from '@gateway/storage-sqlite'
import { isThere } from '../is-there.ts'
import { type Finding, findings } from './finding.ts'

const MAKE_READABLE =
  'Make room on the disk, and give the folder `store` to the user who runs the service: SQLite needs both to read it. It may be sound.'
const RESTORE = 'Stop the gateway, keep a copy of the folder `store`, and restore the last `gateway backup`.'
const EMPTIED = `${RESTORE} To begin with a new store instead, set GATEWAY_NEW_STORE=1 for one start.`
const OTHER_FOLDER = 'Set GATEWAY_DATA_DIR to another folder, or move that file away.'
const OTHER_VERSION = 'Run the version that wrote it, or choose another data folder.'

/** Only reads, so it may run while the service runs. */
export async function checkStore(settings: Settings, collections: readonly CollectionRef[]): Promise<readonly Finding[]> {
  if (settings.mongodbUrl !== undefined) return [await checkMongo(settings.mongodbUrl, settings.mongodbTimeoutMs)]
  const path = join(settings.dataDir, 'store', 'gateway.db')
  const { loadDriver, isDamage, openReader } = await import('@gateway/storage-sqlite')
  if (!isThere(path)) return [await checkEmpty(settings.dataDir, path, `none yet; made at the first start at ${path}`)]
  try {
    const reader = openReader(await loadDriver(), path)
    try {
      return await checkFile(reader, settings.dataDir, path, collections)
    } finally {
      reader.close()
    }
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    return [findings('store').fail(`${path} cannot be read: ${message}`, isDamage(error) ? RESTORE : MAKE_READABLE)]
  }
}

async function checkFile(
  reader: Connection,
  dataDir: string,
  path: string,
  collections: readonly CollectionRef[],
): Promise<readonly Finding[]> {
  const { checkIntegrity, kindOf, unusable } = await import('@gateway/storage-sqlite')
  const [store, schema] = [findings('store'), findings('store schema')]
  const kind = kindOf(reader)
  if (kind === 'empty') return [await checkEmpty(dataDir, path, `${path} is new: nothing was written yet`)]
  const fault = unusable(reader, path, kind)
  if (fault !== undefined) return [schema.fail(fault, kind === 'foreign' ? OTHER_FOLDER : OTHER_VERSION)]
  const readable = schema.ok('this version can read it')
  const [first, ...more] = await checkIntegrity(path, collections)
  if (first === undefined) return [readable, store.ok(`${path} is sound`)]
  return [readable, store.fail(`${path}: ${first.replaceAll('\n', ' ')}${more.length > 0 ? ` (and ${more.length} more)` : ''}`, RESTORE)]
}

/** An empty place is either a first start or the remains of a store. */
async function checkEmpty(dataDir: string, path: string, fresh: string): Promise<Finding> {
  const { emptied, readIdentityFile } = await import('@gateway/storage-sqlite')
  const { ok, fail } = findings('store')
  const loss = emptied(path, readIdentityFile(dataDir))
  return loss === undefined ? ok(fresh) : fail(loss, EMPTIED)
}

async function checkMongo(url: string, timeoutMs: number): Promise<Finding> {
  const { ok, fail } = findings('store')
  const { MongoClient } = await import('mongodb')
  let client: InstanceType<typeof MongoClient> | undefined
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs })
    await client.db().command({ ping: 1 })
    return ok('the MongoDB of MONGODB_URL answers; what is in it, ask its own tools')
  } catch (error) {
    return fail(`the MongoDB of MONGODB_URL does not answer: ${(error as Error).message}`, 'Start it, or correct MONGODB_URL.')
  } finally {
    await client?.close()
  }
}
