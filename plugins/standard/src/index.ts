import connectors from '@gateway/plugin-connectors'
import discovery from '@gateway/plugin-discovery'
import fleet from '@gateway/plugin-fleet'
import leases from '@gateway/plugin-leases'
import mailbox from '@gateway/plugin-mailbox'
import pluginTools from '@gateway/plugin-plugin-tools'
import recurring from '@gateway/plugin-recurring'
import runners from '@gateway/plugin-runners'
import schedules from '@gateway/plugin-schedules'
import tasks from '@gateway/plugin-tasks'
import tenants from '@gateway/plugin-tenants'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'

/** Every built-in family, in the order in which their tools are listed. */
export const standardPlugins: readonly Plugin[] = [
  trash,
  tasks,
  mailbox,
  leases,
  runners,
  schedules,
  recurring,
  fleet,
  connectors,
  tenants,
  pluginTools,
  discovery,
]
