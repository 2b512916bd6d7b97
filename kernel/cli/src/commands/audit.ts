import { join } from 'node:path'
import type { AuditFault } from '@gateway/audit'
import { jsonOption } from '../args.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'
import type { Output } from '../output.ts'

export default defineCommand({
  summary: 'Check that nobody changed the audit trail.',
  usage: 'verify [--tenant T]',
  details: [
    'Walks the hash chain of each tenant and reports every changed, missing, inserted or reordered record with its file and line.',
    'Runs beside the service. The last hash it prints, kept elsewhere, also proves that nobody wrote the whole trail anew.',
  ].join('\n'),
  options: { tenant: { type: 'string', value: 'T', description: 'Only this tenant.' }, ...jsonOption },
  async run({ values, positionals, env, cwd, output }) {
    if (positionals.join(' ') !== 'verify') throw new CliError(EXIT.usage, 'Expected `gateway audit verify`.')
    const { loadSettings } = await import('@gateway/settings')
    const { verifyTrails } = await import('../verify-trails.ts')
    const dir = join(loadSettings({ env, cwd }).dataDir, 'audit')
    const results = await verifyTrails(dir, values.tenant)
    if (values.tenant !== undefined && results.length === 0)
      throw new CliError(EXIT.failure, `There is no audit trail of tenant ${values.tenant} in ${dir}.`)
    if (values.json) output.json({ dir, tenants: results })
    else print(results, dir, output)
    return results.every(({ faults }) => faults === 0) ? EXIT.ok : EXIT.failure
  },
})

const placeOf = (tenantId: string, { file, line, seq }: AuditFault): string =>
  file === '' ? tenantId : `${join(tenantId, file)}:${line} seq ${seq}`

type Results = Awaited<ReturnType<typeof import('../verify-trails.ts').verifyTrails>>

function print(results: Results, dir: string, output: Output): void {
  if (results.length === 0) output.line(`There is no audit trail in ${dir} yet.`)
  for (const { tenantId, records, files, faults, found, notes, last } of results) {
    const verdict = faults === 0 ? output.paint('intact', 'good') : output.paint(`${faults} fault${faults === 1 ? '' : 's'}`, 'bad')
    output.line(`${tenantId}: ${verdict}, ${records} records in ${files} files, last ${last.seq} ${last.hash}`)
    for (const fault of found) output.line(`  ${placeOf(tenantId, fault)}: ${fault.message}`)
    if (found.length < faults) output.line(`  … and ${faults - found.length} more`)
    for (const note of notes) output.line(`  note: ${note}`)
  }
}
