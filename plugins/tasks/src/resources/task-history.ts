import { resourceOf } from '@gateway/sdk'
import { HISTORY_URI } from '../operations/resource-news.ts'
import { tasksHistory } from '../routes/history.ts'

export const historyResource = resourceOf(tasksHistory, {
  uri: HISTORY_URI,
  name: 'task-history',
  description: 'The history of a task, oldest first: its creation, its claims and its moves.',
})
