import { arg, definePage, Panel } from '@gateway/sdk'
import { readSession } from '../routes/read.ts'

export const sessionPage = definePage({
  path: '/sessions/:id',
  title: 'Session',
  icon: 'messages-square',
  group: 'work',
  panels: [
    Panel.timeline({
      id: 'messages',
      title: 'Messages',
      from: readSession,
      arguments: { id: arg.param('id') },
      rows: '/messages',
      key: '/messageId',
      at: '/createdAt',
      head: { value: '/role', format: 'badge', tones: { user: 'info' } },
      text: '/content',
      fields: { State: { value: '/state', format: 'badge', tones: { failed: 'bad', pending: 'warn' } }, Error: '/error' },
      empty: 'Nothing was said yet.',
    }),
  ],
})
