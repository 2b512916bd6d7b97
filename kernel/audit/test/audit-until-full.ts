/**
 * Runs under a file size limit: appends until one fails, then once more with what still fits, and prints what was acknowledged.
 */
import { openAuditFiles } from '../src/files.ts'
import { entry } from './audit-fixture.ts'

const trail = openAuditFiles({ dir: process.argv[2] as string })
const written: string[] = []
let code = ''
for (let index = 0; code === ''; index++) {
  await trail.append('local', [entry(`r${index}`, { details: { filler: 'x'.repeat(1500) } })]).then(
    () => written.push(`r${index}`),
    ({ cause }: { cause: NodeJS.ErrnoException }) => {
      code = cause.code ?? 'none'
    },
  )
}
await trail.append('local', [entry('small')]).then(
  () => written.push('small'),
  () => {},
)
await trail.close()
process.stdout.write(JSON.stringify({ written, code }))
