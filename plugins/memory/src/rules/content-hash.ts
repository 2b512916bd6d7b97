import { createHash } from 'node:crypto'

export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Beginning of the ids of chunks, which atoms of the brain do not have. */
export const CHUNK_PREFIX = 'mem-'

/** 160 bits of the hash: two contents with one id do not occur in practice. */
export function chunkIdOf(hash: string): string {
  return `${CHUNK_PREFIX}${hash.slice(0, 40)}`
}
