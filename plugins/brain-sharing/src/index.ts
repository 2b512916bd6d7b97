import { definePlugin } from '@gateway/sdk'
import { grants } from './collections.ts'
import { grantsToTenant } from './contributions/tenant-mentions.ts'
import { brainNamespaceGrants } from './tools/brain-namespace-grants.ts'
import { brainNamespaceRead } from './tools/brain-namespace-read.ts'
import { brainNamespaceShare } from './tools/brain-namespace-share.ts'
import { brainNamespaceUnshare } from './tools/brain-namespace-unshare.ts'
import { brainNamespaceWrite } from './tools/brain-namespace-write.ts'

/**
 * Namespaces of a brain that other tenants read, or write to. The life of a grant:
 *
 * 1. given by the owner, for a namespace and a tenant: one for each pair;
 * 2. checked on every call of the grantee, in the owner's records;
 * 3. given again: its level changes;
 * 4. revoked: it stays, with the time, and has no effect from the next call on;
 * 5. given once more: it is active again.
 */
export default definePlugin({
  id: 'brain-sharing',
  sdk: '^1.0.0',
  description: 'Shares namespaces of a brain with other tenants.',
  collections: [grants],
  contributes: [grantsToTenant],
  tools: [brainNamespaceShare, brainNamespaceUnshare, brainNamespaceGrants, brainNamespaceRead, brainNamespaceWrite],
})
