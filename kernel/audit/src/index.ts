export { openAuditFiles } from './files.ts'
export { auditedTenants, oddEntries } from './folder.ts'
export { CountedRefusals } from './refusals.ts'
export { type AuditFault, type AuditSummary, verifyAudit } from './verify.ts'
