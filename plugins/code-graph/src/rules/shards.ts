import { gunzipSync, gzipSync } from 'node:zlib'
import { FACTS_VERSION, type Facts } from './facts.ts'

/** The stored facts of a file: `stamp` changes with every write, `hash` with its content. */
export interface KeptFile {
  readonly stamp: string
  readonly hash: string
  readonly facts: Facts
}

/** Number of parts that a repo's stored facts are split into, so that a changed file needs only one of them written. */
export const SHARDS = 64
const MAX_BYTES = 256 * 1_024 * 1_024

/** FNV-1a: the same path is always in the same part. */
export function shardOf(path: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % SHARDS
}

export function packShard(files: ReadonlyMap<string, KeptFile>): string {
  return gzipSync(JSON.stringify({ version: FACTS_VERSION, files: [...files] }), { level: 3 }).toString('base64')
}

/** Returns nothing for a part of another version, or a damaged one: its files are read again. */
export function unpackShard(data: string): ReadonlyMap<string, KeptFile> {
  try {
    const text = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: MAX_BYTES }).toString()
    const { version, files } = JSON.parse(text) as { version: number; files: [string, KeptFile][] }
    return new Map(version === FACTS_VERSION ? files : [])
  } catch {
    return new Map()
  }
}
