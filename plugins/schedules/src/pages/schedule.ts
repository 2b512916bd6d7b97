import { arg, definePage, Panel } from '@gateway/sdk'
import { scheduleRuns } from '../routes/runs.ts'
import { schedulesRunNow } from '../tools/schedules-run-now.ts'

const scheduleId = arg.param('scheduleId')

export const schedulePage = definePage({
  path: '/schedules/:scheduleId',
  title: 'Schedule',
  description: 'Latest runs and their results.',
  icon: 'calendar-clock',
  group: 'work',
  heading: { titleOf: 'schedule' },
  actions: [{ id: 'run-now', label: 'Run now', icon: 'play', tone: 'primary', tool: schedulesRunNow, arguments: { scheduleId } }],
  panels: [
    Panel.timeline({
      id: 'runs',
      title: 'Runs',
      from: scheduleRuns,
      arguments: { scheduleId },
      rows: '/runs',
      key: '/runId',
      at: '/startedAt',
      head: { value: '/status', format: 'badge', tones: { success: 'good', error: 'bad' } },
      text: '/result',
      fields: {
        Ended: { value: '/endedAt', format: 'time' },
        Error: { value: '/error', format: 'code' },
        'Not delivered': '/undelivered',
        Cost: { value: '/costUsd', format: 'money' },
        Trace: { value: '/traceId', link: { to: '/traces', with: { taskId: arg.row('/traceId') } } },
      },
      empty: 'No runs yet.',
    }),
  ],
})
