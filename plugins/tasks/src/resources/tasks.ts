import { resourceOf } from '@gateway/sdk'
import { HISTORY_URI, TASK_URI } from '../operations/resource-news.ts'
import { tasksGet } from '../routes/get.ts'
import { tasksHistory } from '../routes/history.ts'

export const taskResource = resourceOf(tasksGet, {
  uri: TASK_URI,
  name: 'task',
  description: 'A task. Subscribers hear of every change of it.',
})
export const historyResource = resourceOf(tasksHistory, {
  uri: HISTORY_URI,
  name: 'task-history',
  description: 'What happened to a task, oldest first: its creation, its claims and its moves.',
})
