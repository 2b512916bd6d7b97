import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Syncs the folders in which git has renamed files: git syncs the content of a file, but not its name. */
export async function syncFolders(folder: string, refs: readonly string[]): Promise<void> {
  const folders = new Set([folder, join(folder, 'objects', 'pack')])
  for (const ref of refs) for (let at = dirname(ref); at !== '.'; at = dirname(at)) folders.add(join(folder, at))
  await Promise.all([...folders].map(syncFolder))
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined)
  // git removes a folder that holds no ref any more.
  if (!handle) return
  await handle.sync().catch(() => {})
  await handle.close()
}
