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
import { healthAlertsRun } from './tools/health-alerts-run.ts'
import { healthAlertsStatus } from './tools/health-alerts-status.ts'
import { healthStatus } from './tools/health-status.ts'

/**
 * How the gateway is. A cycle, every minute on one node:
 *
 * 1. every part is looked at, each within a time limit: what the kernel knows, and the probes that families contribute;
 * 2. what was found is kept, for all tenants alike;
 * 3. a part that has become degraded or unhealthy is told of, once within a window; and once more when it is well again.
 */
export default definePlugin({
  id: 'health',
  sdk: '^1.0.0',
  description: 'Shows how the gateway is, probes its parts, and alerts when one of them becomes unwell.',
  config,
  collections: [states],
  tools: [healthStatus, healthAlertsStatus, healthAlertsRun],
  routes: [listPlugins, listNodes, examineGateway],
  jobs: [cycle],
  contributes: [unwellParts, gatewayProbe, schedulerProbe, containersProbe, diskProbe],
  pages: [systemPage, pluginsPage],
})
