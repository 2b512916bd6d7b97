import { arg, definePage, Panel } from '@gateway/sdk'
import { getSchedule } from '../routes/get.ts'
import { scheduleRuns } from '../routes/runs.ts'
import { changedByForm, changeForm } from '../rules/change-form.ts'
import { schedulesRunNow } from '../tools/schedules-run-now.ts'
import { schedulesUpdate } from '../tools/schedules-update.ts'

const scheduleId = arg.param('scheduleId')

const enabledBack = (enabled: boolean) => ({ tool: schedulesUpdate, arguments: { scheduleId: arg.before('/scheduleId'), enabled } })

/** Actions of a page that disable a schedule and enable it again. */
export const switchActions = <Id>(scheduleId: Id) =>
  [
    {
      id: 'disable',
      label: 'Switch off',
      icon: 'pause',
      tool: schedulesUpdate,
      arguments: { scheduleId, enabled: false },
      when: { pointer: '/enabled', in: [true] },
      undo: enabledBack(true),
    },
    {
      id: 'enable',
      label: 'Switch on',
      icon: 'play',
      tool: schedulesUpdate,
      arguments: { scheduleId, enabled: true },
      when: { pointer: '/enabled', in: [false] },
      undo: enabledBack(false),
    },
  ] as const

export const schedulePage = definePage({
  path: '/schedules/:scheduleId',
  title: 'Schedule',
  description: 'Its prompt and settings, the latest runs and their results.',
  icon: 'calendar-clock',
  group: 'work',
  heading: { titleOf: 'schedule' },
  actions: [{ id: 'run-now', label: 'Run now', icon: 'play', tone: 'primary', tool: schedulesRunNow, arguments: { scheduleId } }],
  panels: [
    Panel.detail({
      id: 'schedule',
      title: 'Schedule',
      from: getSchedule,
      arguments: { scheduleId },
      record: '/schedule',
      fields: {
        When: { value: '/cronExpr', format: 'code' },
        'Next run': { value: '/nextRun', format: 'time' },
        Enabled: { value: '/enabled', format: 'boolean' },
        'Disabled by the gateway': { value: '/disabledAt', format: 'time' },
        Kind: { value: '/kind', format: 'badge' },
        Target: '/target',
        Message: { value: '/message', format: 'code' },
        Repo: { value: '/repo', link: { to: '/repos/:repo', with: { repo: arg.row('/repo') } } },
        'With memory': { value: '/includeMemoryContext', format: 'boolean' },
        'Delivered to': '/deliverTo',
        'Acts as': { value: '/actsAs/id', beside: '/actsAs/label' },
        'With the role': { value: '/actsAs/role', format: 'badge' },
        'Last error': { value: '/lastError', format: 'code' },
        Changed: { value: '/updatedAt', format: 'time' },
      },
      actions: [
        {
          id: 'change',
          label: 'Change',
          icon: 'pencil',
          tool: schedulesUpdate,
          arguments: { scheduleId, ...changedByForm },
          form: changeForm,
        },
        ...switchActions(scheduleId),
      ],
      empty: 'Schedule not found.',
    }),
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
