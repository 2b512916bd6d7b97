import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './folder.ts'
import type { ChainPoint } from './record.ts'
import { writeSynced } from './synced.ts'

/** Start of a trail whose oldest day files were purged: after this record, the last one of the newest purged file. */
export interface Start extends ChainPoint {
  /** Files up to this one are gone, or were about to be removed when the process was killed. */
  readonly file: string
}

const startFile = (folder: string): string => join(folder, 'start.json')

/** Must be durable before any file is removed: a trail without its beginning and without this would look damaged. */
export async function writeStart(folder: string, { seq, hash, file }: Start): Promise<void> {
  await writeSynced(`${startFile(folder)}.new`, `${JSON.stringify({ seq, hash, file })}\n`)
  await rename(`${startFile(folder)}.new`, startFile(folder))
  await syncFolder(folder)
}

export async function readStart(folder: string): Promise<Start | undefined> {
  const text = await readFile(startFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as Start)
}
