/** Fills the disk, appends until records are owed, prints the acknowledged ones, and is killed. */
import { writeFileSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UnwrittenRecordError } from '../../core/src/ports/audit.ts'
import { openAuditFiles } from '../src/files.ts'
import { entry } from './audit-fixture.ts'

const dir = process.argv[2] as string
const trail = openAuditFiles({ dir })
const [written, owed]: [string[], string[]] = [[], []]
await trail.append('local', [entry('first')])
written.push('first')
// The reserve is allocated with the first sync.
while (((await stat(join(dir, '.owed')).catch(() => undefined))?.size ?? 0) < 512 * 1024) await pause(20)
await writeFile(join(dir, 'filler'), Buffer.alloc(8 * 1024 * 1024)).catch(() => {})
for (let index = 0; owed.length < 2; index++) {
  const id = `r${index}`
  await trail.append('local', [entry(id)]).then(
    () => written.push(id),
    (error: unknown) => {
      if (!(error instanceof UnwrittenRecordError)) throw error
      owed.push(id)
    },
  )
}
writeFileSync(1, JSON.stringify({ written, owed }))
process.kill(process.pid, 'SIGKILL')
