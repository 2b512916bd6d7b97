import type { Gateway } from '@gateway/kernel'
import { listChanged, resourceUpdated } from '@gateway/sdk'
import { notificationMessage } from '../notification.ts'
import type { Sessions } from './sessions.ts'

/** Notifies sessions of changes in their tenant: lists go to all of them, a resource to its subscribers. */
export function sendNotices(gateway: Pick<Gateway, 'subscribe'>, sessions: Sessions): void {
  gateway.subscribe(resourceUpdated, ({ uri }, tenantId) => {
    const message = notificationMessage({ method: 'notifications/resources/updated', params: { uri } })
    for (const session of sessions.subscriptions.of(tenantId, uri)) session.notify(message)
  })
  gateway.subscribe(listChanged, ({ list }, tenantId) => {
    const message = notificationMessage({ method: `notifications/${list}/list_changed` })
    for (const session of sessions.all()) if (session.owner.tenantId === tenantId) session.notify(message)
  })
}
