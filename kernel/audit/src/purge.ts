import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { walkChain } from './chain-end.ts'
import { dayFile, dayOfFile, nameOf } from './day-file.ts'
import { listFolder, syncFolder } from './folder.ts'
import { readStart, writeStart } from './start.ts'

/**
 * Removes the day files before a day, except the newest, from which the chain continues: 1. the new beginning is written; 2.
 * the files are removed. After a crash in between, the next purge removes the rest. A file of a day after the newest was begun while the
 * clock was ahead: it goes with the next one that is past.
 */
export async function purgeDays(folder: string, before: string): Promise<number> {
  const { days, torn } = await listFolder(folder)
  const now = dayOfFile(days.at(-1) ?? '')
  const kept = days.findIndex((file, index) => index === days.length - 1 || (dayOfFile(file) >= before && dayOfFile(file) <= now))
  const past = days.slice(0, days.slice(0, Math.max(0, kept)).findLastIndex((file) => dayOfFile(file) < before) + 1)
  const newest = past.at(-1)
  if (newest === undefined) return 0
  const start = await readStart(folder)
  if (start === undefined || start.file < newest) {
    const { last } = await walkChain(folder, [newest], 0)
    // Without a complete record at its end the new beginning is unknown, so the file stays for inspection.
    if (!last) return 0
    await writeStart(folder, { seq: last.seq, hash: last.hash, file: newest })
  }
  for (const file of [...past, ...torn.filter((name) => dayOfFile(name) < before || past.includes(dayFile(nameOf(name))))])
    await rm(join(folder, file), { force: true })
  await syncFolder(folder)
  return past.length
}
