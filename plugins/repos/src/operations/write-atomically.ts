import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file so that a reader, also after a kill or a power cut, finds either the old or the new content, complete. Writes
 * of a file are serialized: they share a temporary name, so that a kill leaves at most one such file.
 */
export async function writeAtomically(file: string, content: string): Promise<void> {
  const temporary = `${file}.tmp`
  await rm(temporary, { force: true })
  // `wx`: never writes through a link that was planted there.
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
