import type { BigIntStats } from 'node:fs'

/** Coarser than the clock of any file system. */
const SETTLED_MS = 2_000n

/** Returns a stamp that changes whenever a file is written, or a folder entry is added or removed. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
}

/**
 * True if a later change must show in the stamp. A change within the same tick of the file system's clock does not, so recent
 * writes are checked again.
 */
export function isSettled({ ctimeMs, mtimeMs }: BigIntStats, lookedAt: number): boolean {
  return BigInt(lookedAt) - (ctimeMs > mtimeMs ? ctimeMs : mtimeMs) > SETTLED_MS
}
