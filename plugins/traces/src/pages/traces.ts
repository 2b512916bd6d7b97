import { arg, definePage, Panel } from '@gateway/sdk'
import { tracesList } from '../tools/traces-list.ts'

export const tracesPage = definePage({
  path: '/traces',
  title: 'Traces',
  description: 'Steps of each task, with their times.',
  icon: 'waypoints',
  group: 'fleet',
  order: 20,
  panels: [
    Panel.table({
      id: 'traces',
      title: 'Traces',
      width: 'half',
      from: tracesList,
      rows: '/traces',
      key: '/taskId',
      columns: { Task: { value: '/taskId', format: 'code' }, 'Last step': { value: '/lastRecordedAt', format: 'time' } },
      open: { to: '/traces', with: { taskId: arg.row('/taskId') } },
      empty: 'No traces yet. traces_record adds a span.',
    }),
    Panel.timeline({
      id: 'spans',
      title: 'Steps',
      width: 'half',
      from: tracesList,
      filters: [{ argument: 'taskId', label: 'Task', required: true, placeholder: 'Pick a trace' }],
      rows: '/spans',
      key: '/spanId',
      at: '/recordedAt',
      head: '/name',
      text: '/error',
      fields: {
        Status: { value: '/status', format: 'badge', tones: { ok: 'good', error: 'bad' } },
        Took: { value: '/durationMs', format: 'duration' },
        Service: { value: '/service', format: 'badge' },
        Within: '/parentName',
        Attributes: { value: '/attributes', format: 'json' },
      },
      empty: 'This trace has no steps.',
    }),
  ],
})
