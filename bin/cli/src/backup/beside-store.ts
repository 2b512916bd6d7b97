import { readdir } from 'node:fs/promises'
import type { BackupPart } from '@gateway/sdk'

/** Folders of the data folder that belong to the store and to the running process. */
const OTHERS = new Set(['store', 'process'])

/** Returns the names in the data folder that a backup contains besides the store: they go along when the store moves to another folder. */
export async function besideStore(dataDir: string, parts: readonly BackupPart[]): Promise<readonly string[]> {
  const recreated = new Set(parts.filter(({ in: place, kept }) => place !== 'root' && kept === false).map(({ name }) => name))
  const names = await readdir(dataDir)
  return names.filter((name) => !OTHERS.has(name) && !recreated.has(name)).sort()
}
