import { type Emitter, resourceUri } from '@gateway/sdk'
import type { Task } from '../schema.ts'

export const TASK_URI = 'task://{taskId}'
export const HISTORY_URI = 'task://{taskId}/history'

/** Tells clients that subscribed to a task, and to its history if it moved or was claimed. */
export function announceResources(updated: Emitter<{ uri: string }>, { taskId }: Pick<Task, 'taskId'>, moved: boolean): void {
  updated.emit({ uri: resourceUri(TASK_URI, { taskId }) })
  if (moved) updated.emit({ uri: resourceUri(HISTORY_URI, { taskId }) })
}
