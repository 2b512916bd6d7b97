import { defineCommand, definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { callsOfAgents } from './contributions/agent-activity.ts'
import { seatsOfKeys } from './contributions/entitlements-counted-use.ts'
import { invite } from './contributions/getting-started.ts'
import { auditSearchHits } from './contributions/search-source.ts'
import { accessPage } from './pages/access.ts'
import { auditPage } from './pages/audit.ts'
import { keysPage } from './pages/keys.ts'
import { tenantPage } from './pages/tenant.ts'
import { tenantsPage } from './pages/tenants.ts'
import { searchAudit } from './routes/audit-search.ts'
import { verifyTrail } from './routes/audit-verify.ts'
import { whoami } from './routes/auth-whoami.ts'
import { cancelTenant } from './routes/cancel.ts'
import { changeTenant } from './routes/change.ts'
import { createTenant } from './routes/create.ts'
import { getTenant } from './routes/get.ts'
import { issueKey } from './routes/issue-key.ts'
import { listOwnKeys } from './routes/keys-list.ts'
import { makeOwnKey } from './routes/keys-make.ts'
import { revokeOwnKey } from './routes/keys-revoke.ts'
import { listTenants } from './routes/list.ts'
import { listKeys } from './routes/list-keys.ts'
import { rbacShadow } from './routes/rbac-shadow.ts'
import { reactivate } from './routes/reactivate.ts'
import { requestErasure } from './routes/request-erasure.ts'
import { revokeKey } from './routes/revoke-key.ts'
import { rotateKey } from './routes/rotate-key.ts'
import { suspend } from './routes/suspend.ts'
import { tenantReactivate } from './tools/tenant-reactivate.ts'
import { tenantSuspend } from './tools/tenant-suspend.ts'

/**
 * Life of a key:
 *
 * 1. Created, by the operator or by an admin of its tenant with at most the admin's role, and shown only then.
 * 2. Used: the last use is recorded at most once a minute, in the background.
 * 3. Replaced by a rotation: valid for the grace window, and things created with it continue under the new one.
 * 4. Or ended, at its expiry or by being revoked: from the next call on, on every node. Things created with it end with it.
 */
export default definePlugin({
  id: 'tenants',
  sdk: '^1.0.0',
  description: 'Tenants, their keys, a report of calls that roles would refuse, and the identity of the caller.',
  config,
  tools: [tenantSuspend, tenantReactivate],
  routes: [
    whoami,
    listTenants,
    createTenant,
    getTenant,
    changeTenant,
    suspend,
    reactivate,
    issueKey,
    listKeys,
    revokeKey,
    rotateKey,
    requestErasure,
    cancelTenant,
    rbacShadow,
    searchAudit,
    verifyTrail,
    listOwnKeys,
    makeOwnKey,
    revokeOwnKey,
  ],
  contributes: [callsOfAgents, auditSearchHits, invite, seatsOfKeys],
  pages: [keysPage, auditPage, tenantsPage, tenantPage, accessPage],
  commands: [
    defineCommand('whoami', {
      summary: 'Show your identity: tenant, plan, role, quota.',
      load: () => import('./commands/whoami.ts'),
    }),
    defineCommand('tenant', {
      summary: 'Create, list, suspend, reactivate tenants and rotate their keys.',
      load: () => import('./commands/tenant.ts'),
    }),
    defineCommand('key', { summary: 'List, create and revoke API keys, one for each agent.', load: () => import('./commands/key.ts') }),
    defineCommand('rotate-keys', {
      summary: 'Create a new key for a tenant; the old keys expire.',
      load: () => import('./commands/rotate-keys.ts'),
    }),
    defineCommand('rbac', {
      summary: 'Report calls that role enforcement would refuse.',
      load: () => import('./commands/rbac.ts'),
    }),
  ],
})
