import type { ServerNotification } from '@modelcontextprotocol/client'

/** Notifications of the gateway to a client, by the protocol's types; those of the tasks extension are added. */
export type Notification = ServerNotification | { readonly method: 'notifications/tasks'; readonly params: { readonly taskId: string } }

export function notificationMessage({ method, params }: Notification): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
