import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { type Database, type Driver, loadDriver } from './driver.ts'
import { cannotOpen } from './errors.ts'

export interface Lock {
  release(): void
}

/**
 * A data folder has one process. The lock is SQLite's own on a small file, held for life: the operating system releases it with
 * the process, however that dies, so a killed gateway never blocks the next one. The holder is recorded in a second file,
 * because reading and closing the locked one would release the lock.
 */
export function lockFolder(driver: Driver, folder: string, sinceMs: number): Lock {
  const ownerFile = join(folder, 'owner.json')
  const path = join(folder, 'lock')
  let db: Database | undefined
  try {
    db = driver.open(path, { timeout: 0 })
    db.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    db?.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw cannotOpen(path, error)
    throw new Error(
      `The data folder ${dirname(folder)} is in use by another gateway${describeOwner(ownerFile)}. Stop that one, or choose another data folder.`,
    )
  }
  const held = db
  writeFileSync(ownerFile, JSON.stringify({ pid: process.pid, since: new Date(sinceMs).toISOString(), host: hostname() }))
  return {
    release() {
      held.close()
    },
  }
}

export async function lockStore(dataDir: string): Promise<Lock> {
  return lockFolder(await loadDriver(), join(dataDir, 'store'), Date.now())
}

/**
 * A data folder has one gateway, whatever its store: one process appends to the trails in it. Nodes of one database have a folder
 * each.
 */
export async function lockDataDir(dataDir: string, sinceMs: number): Promise<Lock> {
  const folder = join(dataDir, 'process')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return lockFolder(await loadDriver(), folder, sinceMs)
}

const SQLITE_BUSY = 5

function describeOwner(ownerFile: string): string {
  try {
    const { pid, since, host } = JSON.parse(readFileSync(ownerFile, 'utf8')) as { pid: number; since: string; host: string }
    return ` (process ${pid} on ${host}, since ${since})`
  } catch {
    return ''
  }
}
