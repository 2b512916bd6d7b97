import { type AgentDeed, type AuditRecord, agentActivity, auditSearch, contribute } from '@gateway/sdk'

/** Calls that write what others learn from. */
const LEARNING = /^(?:memory_store|brain_commit|brain_observe|brain_stash|handoff_write|state_update)$/

const deed = ({ seq, tool, subject, at, decision, requestId }: AuditRecord): AgentDeed => ({
  kind: 'audit',
  id: String(seq),
  title: [tool, ...Object.values(subject ?? {})].join(' '),
  at,
  ...(decision !== 'ok' && { error: decision }),
  page: `/audit?requestId=${encodeURIComponent(requestId)}`,
})

/** Calls in the audit trail by a principal or a key of that name, for those who may read the trail. */
export const callsOfAgents = contribute(agentActivity, {
  uses: { audit: auditSearch },
  create: ({ audit }, ctx) => ({
    async of({ name: principal, limit }) {
      if (!ctx.holds('configure')) return {}
      const { records } = await audit.search(ctx.tenantId, { principal, name: 'tool.call', limit })
      const ok = records.filter(({ decision }) => decision === 'ok')
      return {
        did: ok.filter(({ tool }) => !LEARNING.test(tool)).map(deed),
        learned: ok.filter(({ tool }) => LEARNING.test(tool)).map(deed),
        failed: records.filter(({ decision }) => decision !== 'ok').map(deed),
      }
    },
  }),
})
