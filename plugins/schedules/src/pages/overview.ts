import { arg, type OverviewPanel, Panel } from '@gateway/sdk'
import { schedulesList } from '../tools/schedules-list.ts'
import { schedulesRunNow } from '../tools/schedules-run-now.ts'

const scheduleId = arg.row('/scheduleId')
const open = { to: '/schedules/:scheduleId', with: { scheduleId } } as const

export const overview: readonly OverviewPanel[] = [
  {
    order: 50,
    panel: Panel.table({
      id: 'next',
      title: 'Runs next',
      width: 'third',
      from: schedulesList,
      arguments: { enabled: true, limit: 5 },
      rows: '/schedules',
      key: '/scheduleId',
      columns: { Schedule: '/name', 'Next run': { value: '/nextRun', format: 'time' } },
      open,
      link: { to: '/schedules' },
      empty: { text: 'Nothing is scheduled.', link: { to: '/schedules' } },
    }),
  },
  {
    order: 55,
    panel: Panel.table({
      id: 'failed',
      title: 'Schedules that failed',
      width: 'third',
      from: schedulesList,
      arguments: { status: 'error', limit: 5 },
      rows: '/schedules',
      key: '/scheduleId',
      columns: { Schedule: '/name', Failed: { value: '/lastRun', format: 'time' }, Why: '/lastError' },
      open,
      actions: [{ id: 'run-again', label: 'Run now', icon: 'play', tool: schedulesRunNow, arguments: { scheduleId } }],
      link: { to: '/schedules', with: { status: 'error' } },
      empty: 'No schedule has failed.',
    }),
  },
]
