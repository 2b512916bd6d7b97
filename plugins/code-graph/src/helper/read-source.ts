import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'

/** Larger files are generated, or data. */
export const MAX_FILE_BYTES = 1_048_576

/** Returns a file's text and content hash, or `undefined` if it cannot be read or has become a link. */
export function readSource(path: string): { readonly text: string; readonly hash: string } | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const bytes = readFileSync(file)
    return { text: bytes.toString('utf8'), hash: createHash('sha1').update(bytes).digest('base64url') }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
