import leases from '@gateway/plugin-leases'
import mailbox from '@gateway/plugin-mailbox'
import runners from '@gateway/plugin-runners'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import tenants from '@gateway/plugin-tenants'
import trash from '@gateway/plugin-trash'
import { serveOnDemand } from '../crash/gateway/serve-on-demand.ts'
import { clockOf } from './stepping-clock.ts'

// A gateway that is killed often: it has the families of the histories and no others, because its start is most of what a kill costs.
serveOnDemand([tasks, leases, runners, swarms, mailbox, tenants, trash], clockOf)
