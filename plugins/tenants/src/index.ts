import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { whoami } from './routes/auth-whoami.ts'
import { cancelTenant } from './routes/cancel.ts'
import { changeTenant } from './routes/change.ts'
import { createTenant } from './routes/create.ts'
import { getTenant } from './routes/get.ts'
import { issueKey } from './routes/issue-key.ts'
import { listTenants } from './routes/list.ts'
import { rbacShadow } from './routes/rbac-shadow.ts'
import { reactivate } from './routes/reactivate.ts'
import { requestErasure } from './routes/request-erasure.ts'
import { rotateKey } from './routes/rotate-key.ts'
import { suspend } from './routes/suspend.ts'
import { tenantReactivate } from './tools/tenant-reactivate.ts'
import { tenantSuspend } from './tools/tenant-suspend.ts'

export default definePlugin({
  id: 'tenants',
  sdk: '^1.0.0',
  description: 'Tenants, their keys and what enforcement would refuse, for the operator; and who a caller is, for everyone.',
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
    rotateKey,
    requestErasure,
    cancelTenant,
    rbacShadow,
  ],
})
