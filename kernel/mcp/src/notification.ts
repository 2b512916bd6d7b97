import type { ServerNotification } from '@modelcontextprotocol/client'
import type { TaskRecord } from './stateless/task-records.ts'

/** What the gateway tells a client, by the protocol’s types; those of the tasks extension are not among them. */
export type Notification = ServerNotification | { readonly method: 'notifications/tasks'; readonly params: Pick<TaskRecord, 'taskId'> }

export function notificationMessage({ method, params }: Notification): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
