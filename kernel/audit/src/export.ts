import { join } from 'node:path'
import { dayOfFile } from './day-file.ts'
import { listFolder } from './folder.ts'
import { linesOf } from './lines.ts'
import { decodeRecord } from './record.ts'

/** Yields the lines of a trail as stored, oldest first: records from the ISO time `from` on and before `until`. */
export async function* exportTrail(
  folder: string,
  { from = '', until = '9999' }: { from?: string; until?: string },
): AsyncGenerator<string> {
  const { days } = await listFolder(folder)
  for (const [index, file] of days.entries()) {
    if (dayOfFile(file) < from.slice(0, 10)) continue
    for await (const { bytes, ended } of linesOf(join(folder, file), { growing: index === days.length - 1 })) {
      const at = ended ? decodeRecord(bytes)?.at : undefined
      if (at !== undefined && at >= from && at < until) yield bytes.toString()
    }
  }
}
