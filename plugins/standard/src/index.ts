import artifacts from '@gateway/plugin-artifacts'
import backlog from '@gateway/plugin-backlog'
import connectors from '@gateway/plugin-connectors'
import discovery from '@gateway/plugin-discovery'
import dispatch from '@gateway/plugin-dispatch'
import fleet from '@gateway/plugin-fleet'
import jobHistory from '@gateway/plugin-job-history'
import leases from '@gateway/plugin-leases'
import logs from '@gateway/plugin-logs'
import mailbox from '@gateway/plugin-mailbox'
import plans from '@gateway/plugin-plans'
import pluginTools from '@gateway/plugin-plugin-tools'
import recurring from '@gateway/plugin-recurring'
import repos from '@gateway/plugin-repos'
import runners from '@gateway/plugin-runners'
import schedules from '@gateway/plugin-schedules'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import tenants from '@gateway/plugin-tenants'
import traces from '@gateway/plugin-traces'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'

/** Every built-in family, in the order in which their tools are listed. */
export const standardPlugins: readonly Plugin[] = [
  trash,
  tasks,
  mailbox,
  swarms,
  dispatch,
  traces,
  logs,
  artifacts,
  jobHistory,
  leases,
  runners,
  backlog,
  repos,
  plans,
  schedules,
  recurring,
  fleet,
  connectors,
  tenants,
  pluginTools,
  discovery,
]
