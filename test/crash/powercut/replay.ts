import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Disk, type Image } from './disk.ts'
import type { LogRecord } from './log.ts'
import { type Random, upTo } from './random.ts'

/** Faults found after one power cut; empty when every promise was kept. */
export interface CutReport {
  readonly at: number
  readonly faults: readonly string[]
}

/** Returns the faults of a folder after a power cut, given all earlier acknowledgements; empty if it has no faults. */
export type Inspect = (folder: string, acknowledged: readonly string[]) => Promise<readonly string[]>

/** Cuts the power at `count` random moments of a recording, rebuilds the folder in a possible state, and inspects it. */
export async function cutPower(
  records: readonly LogRecord[],
  { count, random, scratch, inspect }: { count: number; random: Random; scratch: string; inspect: Inspect },
): Promise<readonly CutReport[]> {
  const moments = Array.from({ length: count }, () => upTo(random, records.length + 1)).sort((a, b) => a - b)
  const disk = new Disk()
  const acknowledged: string[] = []
  const reports: CutReport[] = []
  let applied = 0
  for (const at of moments) {
    for (const record of records.slice(applied, at)) {
      disk.apply(record)
      if (record.kind === 'ack') acknowledged.push(record.text)
    }
    applied = at
    const folder = join(scratch, 'after')
    build(disk.afterPowerCut(random), folder)
    reports.push({ at, faults: await inspect(folder, acknowledged) })
    rmSync(folder, { recursive: true })
  }
  return reports
}

function build({ folders, files }: Image, folder: string): void {
  mkdirSync(folder)
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true })
  for (const [path, content] of files) writeFileSync(join(folder, path), content)
}
