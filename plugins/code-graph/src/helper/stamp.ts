import type { Stats } from 'node:fs'

/** Coarser than any file system counts time. */
const SETTLED_MS = 2_000

/** What changes whenever a file is written, or an entry of a folder added or removed. */
export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`
}

/** Whether a later change must show in the stamp: one within the same tick of the file system’s clock does not. */
export function isSettled({ mtimeMs, ctimeMs }: Stats, lookedAt: number): boolean {
  return lookedAt - Math.max(mtimeMs, ctimeMs) > SETTLED_MS
}
