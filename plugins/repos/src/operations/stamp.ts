import type { BigIntStats } from 'node:fs'

/** Coarser than any file system counts time. */
const SETTLED_MS = 2_000n

/** What changes whenever a file is written, or an entry of a folder added or removed. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
}

/**
 * Whether a later change must show in the stamp. One that follows within the same tick of the file system’s clock does not, so
 * what was written a moment ago is looked at again.
 */
export function isSettled({ ctimeMs, mtimeMs }: BigIntStats, lookedAt: number): boolean {
  return BigInt(lookedAt) - (ctimeMs > mtimeMs ? ctimeMs : mtimeMs) > SETTLED_MS
}
