import discovery from '@gateway/plugin-discovery'
import dispatch from '@gateway/plugin-dispatch'
import mailbox from '@gateway/plugin-mailbox'
import recurring from '@gateway/plugin-recurring'
import schedules from '@gateway/plugin-schedules'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import tenants from '@gateway/plugin-tenants'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'

/** Every built-in family, in the order in which their tools are listed. */
export const standardPlugins: readonly Plugin[] = [trash, tasks, mailbox, swarms, dispatch, schedules, recurring, tenants, discovery]
