import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChainPoint, RecordPlace } from './record.ts'
import { writeSynced } from './synced.ts'

/**
 * `head.json` of a tenant: the last record known to be on the disk, and its place. A chain alone cannot show that its end was
 * cut off; with the head it can, except for records of the last second. A power cut can only damage data after the head.
 */
const headFile = (folder: string): string => join(folder, 'head.json')

/** Has no place if an earlier version wrote it. */
export type Head = RecordPlace | (ChainPoint & { readonly file?: never })

// A fixed width within a disk sector, overwritten in place, so that the file is never empty or half old.
const WIDTH = 256

/**
 * Must be called only after the records up to this one are synced: the head must never promise more than the disk holds. One
 * call at a time per folder, because the first head is drafted under one name.
 */
export async function writeHead(folder: string, { seq, hash, file, offset }: RecordPlace): Promise<void> {
  const text = `${JSON.stringify({ seq, hash, file, offset }).padEnd(WIDTH - 1)}\n`
  const path = headFile(folder)
  if (overwritten(path, text)) return
  // A name that is durable before its content would be an empty head.
  await writeSynced(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

/** Writes to the page cache, which costs less than passing it to a thread and waiting. False if there is no file yet. */
function overwritten(path: string, text: string): boolean {
  let file: number
  try {
    file = openSync(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  try {
    writeSync(file, text, 0)
  } finally {
    closeSync(file)
  }
  return true
}

export async function readHead(folder: string): Promise<Head | 'none' | 'damaged'> {
  const text = await readFile(headFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? 'none' : parse(text)
}

function parse(text: string): Head | 'damaged' {
  try {
    const { seq, hash, file, offset } = JSON.parse(text) as Partial<RecordPlace>
    if (!isCount(seq) || typeof hash !== 'string') return 'damaged'
    return typeof file === 'string' && isCount(offset) ? { seq, hash, file, offset } : { seq, hash }
  } catch {
    return 'damaged'
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
