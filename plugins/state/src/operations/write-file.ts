import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { risen } from '@gateway/sdk'

export interface Replacement {
  readonly text: string
  readonly mode: number
  /** Time of the replaced revision: the new one gets a later one. */
  readonly after: string | undefined
}

/**
 * Replaces a file so that a reader, and a process after a kill or a power cut, finds the old content or the new one, whole.
 * Must be called under the lock of the file. `isStill` is checked last. Returns the time of the new revision, or `undefined` when
 * `isStill` said no.
 */
export async function replaceFile(
  file: string,
  { text, mode, after }: Replacement,
  isStill: () => Promise<boolean>,
): Promise<string | undefined> {
  // A unique name, so that a file left by a killed process does not interfere.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    // `wx`: prevents writing through a planted link.
    const updatedAt = await closing(open(temporary, 'wx', mode), async (handle) => {
      await handle.writeFile(text)
      const time = await riseAbove(after, handle)
      await handle.sync()
      return time
    })
    if (!(await isStill())) return undefined
    await rename(temporary, file)
    await syncFolder(dirname(file))
    return updatedAt
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Two writes within one millisecond would otherwise have the same time, and so would a file from a clock that is ahead. */
async function riseAbove(after: string | undefined, handle: FileHandle): Promise<string> {
  const written = (await handle.stat({ bigint: true })).mtime.toISOString()
  const updatedAt = risen(after, written)
  // The middle of the millisecond, because the seconds of a file time are a binary fraction and are rounded down.
  const seconds = (Date.parse(updatedAt) + 0.5) / 1_000
  if (updatedAt !== written) await handle.utimes(seconds, seconds)
  return updatedAt
}

/** A new name is durable only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  await closing(open(folder, 'r'), (handle) => handle.sync())
}

async function closing<T>(opening: Promise<FileHandle>, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await opening
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}
