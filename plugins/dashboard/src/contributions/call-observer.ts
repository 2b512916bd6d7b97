import { callObserver, contribute, throughout } from '@gateway/sdk'
import { firsts } from '../collections.ts'
import { knownTenants } from '../services/known-tenants.ts'

/** Notes the first successful call of a tenant over MCP: an agent is connected. */
export const firstCall = contribute(callObserver, {
  uses: { firsts: throughout(firsts), knownTenants },
  create: ({ firsts, knownTenants }, ctx) => ({
    observe({ via, outcome, tenantId, principal }) {
      if (via !== 'mcp' || outcome !== 'ok' || principal.kind === 'system' || knownTenants.has(tenantId)) return
      knownTenants.set(tenantId, true)
      const note = firsts.of(tenantId).upsert({ id: 'mcp-call', at: ctx.now().toISOString() }, {})
      note.catch((error: unknown) => {
        knownTenants.delete(tenantId)
        ctx.log.warn('the first call of an agent could not be noted', { err: error, tenantId })
      })
    },
  }),
})
