import { arg, definePage, Panel } from '@gateway/sdk'
import { changedByForm, changeForm } from '../rules/change-form.ts'
import { schedulesCreate } from '../tools/schedules-create.ts'
import { schedulesDelete } from '../tools/schedules-delete.ts'
import { schedulesList } from '../tools/schedules-list.ts'
import { schedulesRunNow } from '../tools/schedules-run-now.ts'
import { schedulesUpdate } from '../tools/schedules-update.ts'
import { standingAgentsStatus } from '../tools/standing-agents-status.ts'
import { switchActions } from './schedule.ts'

const scheduleId = arg.row('/scheduleId')
const statuses = { success: 'good', error: 'bad', never: 'neutral' } as const
const outcome = { value: '/lastStatus', format: 'badge', tones: statuses, words: { never: 'not yet', error: 'failed' } } as const

export const schedulesPage = definePage({
  path: '/schedules',
  title: 'Schedules',
  description: 'Agents, skills and tools that run on a schedule, and their next runs.',
  icon: 'calendar-clock',
  group: 'work',
  order: 40,
  actions: [
    {
      id: 'new-schedule',
      label: 'New schedule',
      icon: 'plus',
      tone: 'primary',
      tool: schedulesCreate,
      form: ['name', 'cronExpr', 'kind', 'target', 'message', 'repo', 'deliverTo'],
    },
  ],
  panels: [
    Panel.calendar({
      id: 'calendar',
      title: 'Next runs',
      from: schedulesList,
      arguments: { enabled: true, limit: 1_000 },
      rows: '/schedules',
      key: '/scheduleId',
      at: '/nextRun',
      head: '/name',
      fields: { Kind: { value: '/kind', format: 'badge' }, Target: '/target' },
      empty: { text: 'Nothing is scheduled.', action: 'new-schedule' },
    }),
    Panel.table({
      id: 'schedules',
      title: 'Schedules',
      from: schedulesList,
      arguments: { limit: 1_000 },
      filters: ['enabled', 'kind', 'status'],
      rows: '/schedules',
      key: '/scheduleId',
      columns: {
        Name: { value: '/name', link: { to: '/schedules/:scheduleId', with: { scheduleId } } },
        When: { value: '/cronExpr', format: 'code' },
        Kind: { value: '/kind', format: 'badge' },
        Target: '/target',
        Enabled: { value: '/enabled', format: 'boolean' },
        'Last run': { value: '/lastRun', format: 'time' },
        Outcome: outcome,
        Error: { value: '/lastError', format: 'code' },
        'Delivered to': '/deliverTo',
        'Next run': { value: '/nextRun', format: 'time' },
      },
      actions: [
        { id: 'run-now', label: 'Run now', icon: 'play', tool: schedulesRunNow, arguments: { scheduleId } },
        ...switchActions(scheduleId),
        {
          id: 'change',
          label: 'Change',
          icon: 'pencil',
          tool: schedulesUpdate,
          arguments: { scheduleId, ...changedByForm },
          form: changeForm,
        },
        {
          id: 'delete',
          label: 'Delete',
          icon: 'trash-2',
          tool: schedulesDelete,
          arguments: { scheduleId },
          confirm: { object: arg.row('/name'), text: 'It is gone for good, and runs no more.', typed: true },
        },
      ],
      empty: { text: 'Nothing is scheduled.', action: 'new-schedule' },
    }),
    Panel.table({
      id: 'standing-agents',
      title: 'Standing agents',
      from: standingAgentsStatus,
      rows: '/agents',
      key: '/agent',
      columns: {
        Agent: '/agent',
        Scheduled: { value: '/scheduled', format: 'boolean' },
        Enabled: { value: '/enabled', format: 'boolean' },
        'Last run': { value: '/lastRun', format: 'time' },
        Outcome: outcome,
        'Next run': { value: '/nextRun', format: 'time' },
      },
      empty: 'No standing agents.',
    }),
  ],
})
