import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { walkChain } from './chain-end.ts'
import { listFolder, syncFolder } from './folder.ts'
import { readStart, writeStart } from './start.ts'

/**
 * Removes the day files before a day, except the newest, from which the chain continues: 1. the new beginning is written; 2.
 * the files are removed. After a crash in between, the next purge removes the rest.
 */
export async function purgeDays(folder: string, before: string): Promise<number> {
  const { days, torn } = await listFolder(folder)
  const past = days.slice(0, -1).filter((file) => file.slice(0, 10) < before)
  const newest = past.at(-1)
  if (newest === undefined) return 0
  const start = await readStart(folder)
  if (start === undefined || start.file < newest) {
    const { last } = await walkChain(folder, [newest], 0)
    // Without a complete record at its end the new beginning is unknown, so the file stays for inspection.
    if (!last) return 0
    await writeStart(folder, { seq: last.seq, hash: last.hash, file: newest })
  }
  for (const file of [...past, ...torn.filter((name) => name.slice(0, 10) < before)]) await rm(join(folder, file), { force: true })
  await syncFolder(folder)
  return past.length
}
