import { createHash } from 'node:crypto'

export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** 160 bits of the hash: two contents with one id do not occur in practice. */
export function chunkIdOf(hash: string): string {
  return `mem-${hash.slice(0, 40)}`
}
