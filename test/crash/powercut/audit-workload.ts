import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openAuditFiles } from '../../../kernel/audit/src/files.ts'
import type { AuditEntry } from '../../../kernel/core/src/ports/audit.ts'

// Runs in its own process, under preload.c: `audit-workload.ts <folder> <sessions>`.
// A trail is synced when it is closed; each close is acknowledged with the number of records written by then.
const [folder, sessions] = process.argv.slice(2)
if (!folder || !sessions) throw new Error('usage: audit-workload.ts <folder> <sessions>')
const acks = openSync(join(folder, '.acks'), 'a')
const principal = { id: 'operator', kind: 'operator', role: 'operator', tenantId: 'local' } as const
let written = 0

for (let session = 1; session <= Number(sessions); session++) {
  const trail = openAuditFiles({ dir: join(folder, 'audit') })
  for (let turn = 0; turn < 20; turn++) await Promise.all([1, 2, 3].map((n) => trail.append('local', [entry(session, turn, n)])))
  written += 20 * 3
  await trail.close()
  writeSync(acks, String(written))
}

/** Alternates between two days, so that the trail crosses midnight. */
function entry(session: number, turn: number, n: number): AuditEntry {
  const at = Date.UTC(2026, 0, session, turn < 10 ? 23 : 25)
  const details = { text: 'x'.repeat((turn * 97) % 1500) }
  return {
    at,
    principal,
    name: 'tool.call',
    tool: `tool_${n}`,
    argsDigest: '',
    decision: 'ok',
    requestId: `${session}-${turn}-${n}`,
    via: 'mcp',
    details,
  }
}
