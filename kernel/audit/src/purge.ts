import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { walkChain } from './chain-end.ts'
import { listFolder, syncFolder } from './folder.ts'
import { readStart, writeStart } from './start.ts'

/**
 * The day files before a day go, but for the newest, from which the chain goes on: 1. where the rest begins is written down; 2. the
 * files go. After a kill in between the next purge removes what the first one left.
 */
export async function purgeDays(folder: string, before: string): Promise<number> {
  const { days, torn } = await listFolder(folder)
  const past = days.slice(0, -1).filter((file) => file.slice(0, 10) < before)
  const newest = past.at(-1)
  if (newest === undefined) return 0
  const start = await readStart(folder)
  if (start === undefined || start.file < newest) {
    const { last } = await walkChain(folder, [newest], 0)
    // Without a whole record at its end nobody could tell where the rest begins: it stays, for somebody to look at.
    if (!last) return 0
    await writeStart(folder, { seq: last.seq, hash: last.hash, file: newest })
  }
  for (const file of [...past, ...torn.filter((name) => name.slice(0, 10) < before)]) await rm(join(folder, file), { force: true })
  await syncFolder(folder)
  return past.length
}
