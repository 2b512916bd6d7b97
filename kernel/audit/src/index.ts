export { openAuditFiles } from './files.ts'
export { auditedTenants } from './folder.ts'
export { CountedRefusals } from './refusals.ts'
export { type AuditFault, type AuditSummary, verifyAudit } from './verify.ts'
