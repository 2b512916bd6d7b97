import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { FileUnusable } from '../errors.ts'
import { inTurn } from './in-turn.ts'

/**
 * A change takes some milliseconds. A holder that was paused for longer checks before it writes, and finds that it lost the lock.
 */
const STALE_MS = 10_000
const WAIT_MS = 15_000
const RETRY_MS = 10

interface Owner {
  readonly token: string
  readonly pid: number
  readonly host: string
}
/** True if the holder still has the lock. */
export type StillHeld = () => Promise<boolean>

/**
 * Allows one change of a file at a time: calls of this process take turns, processes use a lock file next to it. A lock whose
 * process is gone, or that was held for far too long, is taken over.
 */
export function withFileLock<T>(file: string, work: (isHeld: StillHeld) => Promise<T>): Promise<T> {
  return inTurn(file, () => locked(file, work))
}

async function locked<T>(file: string, work: (isHeld: StillHeld) => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  const mine: Owner = { token: randomUUID(), pid: process.pid, host: hostname() }
  const isHeld = async (): Promise<boolean> => (await ownerOf(lock))?.token === mine.token
  await take(lock, mine)
  try {
    return await work(isHeld)
  } finally {
    if (await isHeld()) await rm(lock, { force: true })
  }
}

async function take(lock: string, mine: Owner): Promise<void> {
  for (const end = performance.now() + WAIT_MS; ; await delay(RETRY_MS)) {
    if (await made(lock, mine)) return
    if (await isStale(lock)) await remove(lock)
    if (performance.now() > end)
      throw FileUnusable({
        file: lock,
        fault: `another process still holds this lock after ${WAIT_MS / 1_000} s; remove the file if no gateway is running`,
      })
  }
}

async function made(lock: string, owner: Owner): Promise<boolean> {
  const handle = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!handle) return false
  try {
    await handle.writeFile(JSON.stringify(owner))
  } finally {
    await handle.close()
  }
  return true
}

async function isStale(lock: string): Promise<boolean> {
  const owner = await ownerOf(lock)
  return (owner?.host === hostname() && !isAlive(owner.pid)) || isOld(lock)
}

async function isOld(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS
}

/**
 * Removes a stale lock, under a second lock: of two that find it stale, the later would else remove what the first has just
 * taken.
 */
async function remove(lock: string): Promise<void> {
  const guard = `${lock}.over`
  const handle = await open(guard, 'wx', 0o600).catch(() => undefined)
  if (!handle) {
    // The guard is held for a moment, so an old one was left by a kill. Each writer checks once more that it still has the lock.
    if (await isOld(guard)) await rm(guard, { force: true })
    return
  }
  await handle.close()
  try {
    if (await isStale(lock)) await unlink(lock).catch(() => undefined)
  } finally {
    await rm(guard, { force: true })
  }
}

async function ownerOf(lock: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(lock, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
