import { type AgentDeed, cutText } from '@gateway/sdk'
import type { Task } from '../schema.ts'

const MAX_ERROR = 500

export const taskDeed = ({ taskId, title, updatedAt, claimedAt, completedAt, leaseUntil, lastError, status }: Task): AgentDeed => ({
  kind: 'task',
  id: taskId,
  title,
  page: `/tasks/${encodeURIComponent(taskId)}`,
  at: (status === 'working' ? claimedAt : completedAt) ?? updatedAt,
  ...(status === 'working' && leaseUntil !== undefined && { until: leaseUntil }),
  ...(status !== 'done' && status !== 'review' && lastError !== undefined && { error: cutText(lastError, MAX_ERROR) }),
})
