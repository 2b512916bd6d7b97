import { join } from 'node:path'
import { openAuditFiles } from '../../../kernel/audit/src/files.ts'
import { verifyAudit } from '../../../kernel/audit/src/verify.ts'

/** Continues writing as the next start would, then walks the whole chain: it is intact, and still contains the synced records. */
export async function inspectAudit(folder: string, acknowledged: readonly string[]): Promise<readonly string[]> {
  const dir = join(folder, 'audit')
  const faults: string[] = []
  try {
    const trail = openAuditFiles({ dir })
    const principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId: 'local' } as const
    const after = {
      at: Date.UTC(2026, 11, 1),
      principal,
      name: 'tool.call',
      tool: 'after',
      argsDigest: '',
      decision: 'ok',
      requestId: 'after',
      via: 'mcp',
    } as const
    await trail.append('local', [after])
    await trail.close()
    const { records } = await verifyAudit(dir, 'local', (fault) => faults.push(`${fault.file}:${fault.line} ${fault.message}`))
    const synced = Number(acknowledged.at(-1) ?? 0)
    return records > synced ? faults : [...faults, `${synced} records were synced, ${records} with the new one are left`]
  } catch (error) {
    return [...faults, `cannot be written on: ${String(error)}`]
  }
}
