import { arg, definePage, Panel } from '@gateway/sdk'
import { sessionActivity } from '../routes/activity.ts'
import { readSession } from '../routes/read.ts'

export const sessionPage = definePage({
  path: '/sessions/:id',
  title: 'Session',
  icon: 'messages-square',
  group: 'activity',
  heading: { titleOf: 'session' },
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
      empty: 'No messages yet.',
    }),
    Panel.timeline({
      id: 'activity',
      title: 'Activity',
      from: sessionActivity,
      arguments: { id: arg.param('id') },
      rows: '/activity',
      key: '/at',
      at: '/at',
      head: { value: '/kind', format: 'badge', tones: { ended: 'info', begun: 'info' } },
      text: '/title',
      fields: { Repo: '/repo', Text: '/text' },
      empty: 'No records of this session yet.',
    }),
  ],
})
