import { definePage, Panel } from '@gateway/sdk'
import { notificationsHistory } from '../tools/notifications-history.ts'
import { notificationsSend } from '../tools/notifications-send.ts'
import { notificationsTest } from '../tools/notifications-test.ts'

export const notificationsPage = definePage({
  path: '/notifications',
  title: 'Notifications',
  description: 'Notifications that were sent, and their delivery.',
  icon: 'bell',
  group: 'admin',
  order: 70,
  actions: [
    { id: 'send', label: 'Send', icon: 'send', tool: notificationsSend, form: ['title', 'message', 'level'] },
    { id: 'test', label: 'Test the channels', icon: 'flask-conical', tool: notificationsTest, form: ['channel'] },
  ],
  panels: [
    Panel.timeline({
      id: 'history',
      title: 'Sent',
      from: notificationsHistory,
      arguments: { limit: 500 },
      rows: '/notifications',
      key: '/notificationId',
      at: '/createdAt',
      head: '/title',
      text: '/message',
      fields: {
        Level: { value: '/level', format: 'badge', tones: { warning: 'warn', error: 'bad', critical: 'bad' } },
        Kind: { value: '/kind', format: 'badge' },
        From: '/source',
        Channels: { value: '/results', format: 'json' },
      },
      empty: { text: 'No notifications yet.', action: 'test' },
    }),
  ],
})
