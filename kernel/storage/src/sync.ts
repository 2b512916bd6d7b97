import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Bring to the disk what a file holds, or what was made or renamed in a folder. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
