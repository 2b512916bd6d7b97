import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChainEnd } from './chain-end.ts'
import { nameOf } from './day-file.ts'
import { syncFolder } from './folder.ts'
import { linesOf } from './lines.ts'
import { decodeRecord } from './record.ts'

/** Data in `file` that is no longer part of the chain. */
export interface SetAside {
  readonly file: string
  readonly bytes: number
  /** Complete records among these bytes. */
  readonly records: number
}

/** Moves data after the end of the chain to `.torn` files. */
export async function setAsideAfter(folder: string, days: readonly string[], end: ChainEnd): Promise<readonly SetAside[]> {
  const torn: SetAside[] = []
  // Newest first, so that an interruption leaves a chain and a shorter end to set aside.
  for (const name of days.filter((day) => day >= end.file).toReversed()) {
    const aside = await setAside(folder, name, name === end.file ? end.length : 0)
    if (aside) torn.unshift(aside)
  }
  return torn
}

/**
 * Copies, syncs and then cuts, so that the bytes always exist somewhere. It appends, because two recoveries may meet at one
 * place.
 */
async function setAside(folder: string, name: string, length: number): Promise<SetAside | undefined> {
  const path = join(folder, name)
  const source = await open(path, 'r+')
  try {
    const bytes = (await source.stat()).size - length
    if (bytes === 0) return undefined
    const file = `${nameOf(name)}.${length}.torn`
    const records = await completeRecords(path, length)
    await keep(path, length, join(folder, file))
    await syncFolder(folder)
    await source.truncate(length)
    await source.sync()
    return { file, bytes, records }
  } finally {
    await source.close()
  }
}

async function keep(path: string, start: number, target: string): Promise<void> {
  const kept = await open(target, 'a', 0o600)
  try {
    for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) await kept.appendFile(chunk)
    await kept.sync()
  } finally {
    await kept.close()
  }
}

async function completeRecords(path: string, start: number): Promise<number> {
  let records = 0
  for await (const { bytes, ended } of linesOf(path, { start })) if (ended && decodeRecord(bytes)?.intact) records++
  return records
}
