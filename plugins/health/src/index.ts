import { definePlugin } from '@gateway/sdk'
import { states } from './collections.ts'
import { config } from './config.ts'
import { unwellParts } from './contributions/attention.ts'
import { containersProbe } from './contributions/health-probe-containers.ts'
import { diskProbe } from './contributions/health-probe-disk.ts'
import { gatewayProbe } from './contributions/health-probe-gateway.ts'
import { schedulerProbe } from './contributions/health-probe-scheduler.ts'
import { cycle } from './jobs/cycle.ts'
import { pluginsPage } from './pages/plugins.ts'
import { systemPage } from './pages/system.ts'
import { examineGateway } from './routes/doctor-examine.ts'
import { listNodes } from './routes/nodes-list.ts'
import { listPlugins } from './routes/plugins-list.ts'
import { diskLimitsProvider } from './services/disk-limits.ts'
import { healthAlertsRun } from './tools/health-alerts-run.ts'
import { healthAlertsStatus } from './tools/health-alerts-status.ts'
import { healthStatus } from './tools/health-status.ts'

/**
 * Health of the gateway. A cycle, every minute on one node:
 *
 * 1. Every part is checked within a time limit: those of the kernel, and the probes that families contribute.
 * 2. The findings are kept, for all tenants alike.
 * 3. A part that has become degraded or unhealthy raises an alert, once within a window, and another one when it is well again.
 */
export default definePlugin({
  id: 'health',
  sdk: '^1.0.0',
  description: 'Checks the health of the gateway’s parts and alerts when one becomes degraded or unhealthy.',
  config,
  collections: [states],
  tools: [healthStatus, healthAlertsStatus, healthAlertsRun],
  routes: [listPlugins, listNodes, examineGateway],
  jobs: [cycle],
  provides: [diskLimitsProvider],
  contributes: [unwellParts, gatewayProbe, schedulerProbe, containersProbe, diskProbe],
  pages: [systemPage, pluginsPage],
})
