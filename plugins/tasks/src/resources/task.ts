import { resourceOf } from '@gateway/sdk'
import { TASK_URI } from '../operations/resource-news.ts'
import { tasksGet } from '../routes/get.ts'

export const taskResource = resourceOf(tasksGet, {
  uri: TASK_URI,
  name: 'task',
  description: 'A task. Subscribers are notified of every change of it.',
})
