import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { createTenant } from './routes/create.ts'
import { issueKey, rotateKey } from './routes/keys.ts'
import { cancelTenant, changeTenant, getTenant, listTenants, reactivate, requestErasure, suspend } from './routes/lifecycle.ts'
import { rbacShadow } from './routes/shadow.ts'
import { whoami } from './routes/whoami.ts'
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
