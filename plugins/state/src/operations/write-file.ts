import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replace a file so that a reader, and whoever comes after a kill or a power cut, finds the old content or the new one, whole. To be
 * called under the lock of the file. `isStill` is asked last of all.
 */
export async function replaceFile(
  file: string,
  { text, mode }: { readonly text: string; readonly mode: number },
  isStill: () => Promise<boolean>,
): Promise<boolean> {
  // A name of its own: what a killed process left behind is in nobody’s way.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    // `wx`: a link that someone put there is not written through.
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
