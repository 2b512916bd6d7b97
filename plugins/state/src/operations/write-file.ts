import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file so that a reader, and a process after a kill or a power cut, finds the old content or the new one, whole.
 * Must be called under the lock of the file. `isStill` is checked last.
 */
export async function replaceFile(
  file: string,
  { text, mode }: { readonly text: string; readonly mode: number },
  isStill: () => Promise<boolean>,
): Promise<boolean> {
  // A unique name, so that a file left by a killed process does not interfere.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    // `wx`: prevents writing through a planted link.
    await closing(open(temporary, 'wx', mode), async (handle) => {
      await handle.writeFile(text)
      await handle.sync()
    })
    if (!(await isStill())) return false
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncFolder(dirname(file))
  return true
}

/** A new name is durable only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  await closing(open(folder, 'r'), (handle) => handle.sync())
}

async function closing(opening: Promise<FileHandle>, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await opening
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}
