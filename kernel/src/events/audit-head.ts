import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChainPoint } from './audit-record.ts'

/**
 * `head.json` of a tenant: the last record known to be on the disk. A chain alone cannot tell that its end was cut off;
 * with the head it can, for all but the records of the last second.
 */
export const headFile = (folder: string): string => join(folder, 'head.json')

// One fixed width, written over in place: no moment at which the file is empty or half old.
const WIDTH = 128

/** Call it only when the records up to `point` are synced: the head must never promise more than the disk holds. */
export async function writeHead(folder: string, point: ChainPoint): Promise<void> {
  const text = `${JSON.stringify({ seq: point.seq, hash: point.hash }).padEnd(WIDTH - 1)}\n`
  const handle = await open(headFile(folder), constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    await handle.write(text, 0)
  } finally {
    await handle.close()
  }
}

export async function readHead(folder: string): Promise<ChainPoint | 'none' | 'damaged'> {
  const text = await readFile(headFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? 'none' : parse(text)
}

function parse(text: string): ChainPoint | 'damaged' {
  try {
    const head = JSON.parse(text) as ChainPoint
    return Number.isSafeInteger(head.seq) && typeof head.hash === 'string' ? head : 'damaged'
  } catch {
    return 'damaged'
  }
}
