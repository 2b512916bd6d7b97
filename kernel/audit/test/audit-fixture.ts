import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { AuditFault } from '@gateway/sdk'
import type { AuditEntry } from '../../core/src/ports/audit.ts'
import { type AuditSummary, type TrailPart, verifyAudit } from '../src/verify.ts'

export const MORNING = Date.parse('2026-01-05T09:00:00.000Z')

export async function auditDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gateway-audit-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

export function entry(requestId: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: MORNING,
    principal: { id: 'key-1', kind: 'api-key', role: 'member', tenantId: 'local' },
    name: 'tool.call',
    tool: 'tasks_create',
    argsDigest: 'd'.repeat(43),
    decision: 'ok',
    requestId,
    via: 'mcp',
    ...more,
  }
}

export interface Line {
  readonly seq: number
  readonly name: string
  readonly requestId: string
  readonly prev: string
  readonly hash: string
  readonly details?: Record<string, unknown>
  readonly [member: string]: unknown
}

export async function linesOf(dir: string, tenantId: string, day = '2026-01-05'): Promise<Line[]> {
  const text = await readFile(join(dir, tenantId, `${day}.jsonl`), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

export async function verified(
  dir: string,
  tenantId = 'local',
  part?: TrailPart,
): Promise<AuditSummary & { readonly found: readonly AuditFault[] }> {
  const found: AuditFault[] = []
  const summary = await verifyAudit(dir, tenantId, (fault) => found.push(fault), part)
  return { ...summary, found }
}
