import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs a file's contents, or a folder's entries, to the disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
