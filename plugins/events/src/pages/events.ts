import { definePage, Panel } from '@gateway/sdk'
import { eventsList } from '../routes/list.ts'

export const eventsPage = definePage({
  path: '/events',
  title: 'Events',
  description: 'The journal of public events, which programs read at /api/events.',
  icon: 'activity',
  group: 'activity',
  order: 50,
  panels: [
    Panel.table({
      id: 'events',
      title: 'Latest events',
      from: eventsList,
      arguments: { newest: true },
      rows: '/events',
      key: '/id',
      columns: {
        Cursor: { value: '/cursor', format: 'code' },
        Event: { value: '/event', format: 'code' },
        Data: { value: '/data', format: 'json' },
        Time: { value: '/at', format: 'time' },
      },
      empty: 'No events yet. Tasks, mail, swarms and schedules write them.',
    }),
  ],
})
