import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replace a file so that a reader, and whoever comes after a kill or a power cut, finds the old content or the new one, whole.
 * One at a time for each file: they share a temporary name, so that a kill leaves no more than one behind.
 */
export async function writeAtomically(file: string, content: string): Promise<void> {
  const temporary = `${file}.tmp`
  await rm(temporary, { force: true })
  // `wx`: a link that someone put there is not written through.
  await closing(open(temporary, 'wx', 0o644), async (handle) => {
    await handle.writeFile(content)
    await handle.sync()
  })
  await rename(temporary, file)
  // The new name itself is durable only once its folder is.
  await closing(open(dirname(file), 'r'), (handle) => handle.sync())
}

async function closing(opening: Promise<FileHandle>, use: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await opening
  try {
    await use(handle)
  } finally {
    await handle.close()
  }
}
