import { accessPart, openAccess } from '@gateway/access'
import { auditPart, CountedRefusals, openAuditFiles, ownNode } from '@gateway/audit'
import { jobRunner, jobsPart } from '@gateway/jobs'
import type { Adapters } from '@gateway/kernel'
import { mcpPart } from '@gateway/mcp'
import { nodesPart, openNodes } from '@gateway/nodes'
import { pagesPart } from '@gateway/pages'
import { lockDataDir } from '@gateway/storage-sqlite/lock'
import { healthOf } from './health.ts'
import { openStore } from './open-store.ts'

export const adapters: Adapters = {
  lockDataDir,
  openStore,
  openAudit: openAuditFiles,
  countRefusals: (audit, clock, failed) => new CountedRefusals(audit, clock, failed),
  openAccess,
  openNodes: ({ dataDir, ...parts }) =>
    openNodes({ ...parts, ...(parts.store.shared && { folder: { id: ownNode(dataDir), path: dataDir } }) }),
  jobRunner,
  health: healthOf,
  parts: [accessPart, auditPart, nodesPart, mcpPart, jobsPart, pagesPart],
}
