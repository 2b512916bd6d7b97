import type { Stats } from 'node:fs'

/** Coarser than the clock of any file system. */
const SETTLED_MS = 2_000

/** Returns a stamp that changes whenever a file is written, or a folder entry is added or removed. */
export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`
}

/** True if a later change must show in the stamp. A change within the same tick of the file system's clock does not. */
export function isSettled({ mtimeMs, ctimeMs }: Stats, lookedAt: number): boolean {
  return lookedAt - Math.max(mtimeMs, ctimeMs) > SETTLED_MS
}
