import { definePage, Panel } from '@gateway/sdk'
import { logsList } from '../tools/logs-list.ts'

export const logsPage = definePage({
  path: '/logs',
  title: 'Logs',
  description: 'Lines of the gateway, runners and agents.',
  icon: 'scroll-text',
  group: 'activity',
  order: 40,
  panels: [
    Panel.log({
      id: 'logs',
      title: 'Lines',
      from: logsList,
      arguments: { limit: 1_000 },
      filters: ['level', 'service', { argument: 'q', label: 'Words' }, 'correlationId'],
      rows: '/logs',
      text: '/message',
      at: '/createdAt',
      level: '/level',
      fields: {
        Service: { value: '/service', format: 'badge' },
        About: { value: '/correlationId', format: 'code', titleOf: 'task' },
        More: { value: '/attributes', format: 'json' },
      },
      empty: 'No log lines yet. logs_record writes one.',
    }),
  ],
})
