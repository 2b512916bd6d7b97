import { arg, definePage, Panel } from '@gateway/sdk'
import { tracesList } from '../tools/traces-list.ts'

export const tracesPage = definePage({
  path: '/traces',
  title: 'Traces',
  description: 'Steps of each task, with their times.',
  icon: 'waypoints',
  group: 'activity',
  order: 30,
  panels: [
    Panel.table({
      id: 'traces',
      title: 'Traces',
      from: tracesList,
      arguments: { limit: 1_000 },
      rows: '/traces',
      key: '/taskId',
      columns: { Task: { value: '/taskId', format: 'code', titleOf: 'task' }, 'Last step': { value: '/lastRecordedAt', format: 'time' } },
      open: { to: '/traces', with: { taskId: arg.row('/taskId') } },
      empty: 'No traces yet. traces_record adds a span.',
    }),
    Panel.waterfall({
      id: 'spans',
      title: 'Steps',
      from: tracesList,
      arguments: { limit: 1_000 },
      filters: [{ argument: 'taskId', label: 'Task', required: true, placeholder: 'Pick a trace' }],
      rows: '/spans',
      key: '/spanId',
      head: '/name',
      start: '/startMs',
      end: '/endMs',
      fields: {
        Took: { value: '/durationMs', format: 'duration' },
        Status: { value: '/status', format: 'badge', tones: { ok: 'good', error: 'bad' } },
        Cost: { value: '/attributes/costUsd', format: 'money' },
        Model: '/attributes/model',
        Within: '/parentName',
        Error: '/error',
      },
      empty: 'This trace has no steps.',
    }),
  ],
})
