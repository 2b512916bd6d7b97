import { definePlugin } from '@gateway/sdk'
import { recurringTasks } from './collections.ts'
import { acceptance } from './contributions/tasks-change.ts'
import { setBack } from './jobs/set-back.ts'
import { sweep } from './jobs/sweep.ts'
import { recurringPage } from './pages/recurring.ts'
import { recurringTasksCreate } from './tools/recurring-tasks-create.ts'
import { recurringTasksDelete } from './tools/recurring-tasks-delete.ts'
import { recurringTasksList } from './tools/recurring-tasks-list.ts'
import { recurringTasksRunNow } from './tools/recurring-tasks-run-now.ts'
import { recurringTasksSweep } from './tools/recurring-tasks-sweep.ts'
import { recurringTasksUpdate } from './tools/recurring-tasks-update.ts'

/** Templates that put a task into the queue at each fire of a cron expression. */
export default definePlugin({
  id: 'recurring',
  sdk: '^1.0.0',
  description: 'Task templates that enqueue a task at each fire of a cron expression.',
  collections: [recurringTasks],
  tools: [recurringTasksList, recurringTasksCreate, recurringTasksUpdate, recurringTasksRunNow, recurringTasksDelete, recurringTasksSweep],
  jobs: [sweep, setBack],
  contributes: [acceptance],
  pages: [recurringPage],
})
