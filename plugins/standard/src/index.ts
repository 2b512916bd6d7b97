import mailbox from '@gateway/plugin-mailbox'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import type { Plugin } from '@gateway/sdk'

/** The default distribution. A family is switched off by its id in the config file, not by editing this list. */
export const standardPlugins: readonly Plugin[] = [trash, tasks, mailbox]
