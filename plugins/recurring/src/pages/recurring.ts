import { arg, definePage, Panel } from '@gateway/sdk'
import { recurringTasksCreate } from '../tools/recurring-tasks-create.ts'
import { recurringTasksDelete } from '../tools/recurring-tasks-delete.ts'
import { recurringTasksList } from '../tools/recurring-tasks-list.ts'
import { recurringTasksRunNow } from '../tools/recurring-tasks-run-now.ts'
import { recurringTasksUpdate } from '../tools/recurring-tasks-update.ts'

const recurringId = arg.row('/recurringId')

export const recurringPage = definePage({
  path: '/recurring',
  title: 'Recurring tasks',
  description: 'Tasks that are added to the queue on a schedule.',
  icon: 'repeat',
  group: 'work',
  order: 50,
  actions: [
    {
      id: 'new-recurring',
      label: 'New recurring task',
      icon: 'plus',
      tone: 'primary',
      tool: recurringTasksCreate,
      form: ['name', 'cronExpr', 'repo', 'title', 'description', 'priority', 'overlapPolicy', 'accept'],
    },
  ],
  panels: [
    Panel.table({
      id: 'recurring',
      title: 'Recurring tasks',
      from: recurringTasksList,
      filters: ['enabled', 'repo'],
      rows: '/recurringTasks',
      key: '/recurringId',
      columns: {
        Name: '/name',
        Title: '/title',
        When: { value: '/cronExpr', format: 'code' },
        Repo: '/repo',
        Enabled: { value: '/enabled', format: 'boolean' },
        'Last time': { value: '/lastFireAt', format: 'time' },
        Outcome: { value: '/lastOutcome', format: 'badge', tones: { enqueued: 'good', skipped: 'warn' } },
        'Last task': { value: '/lastTaskId', titleOf: 'task', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/lastTaskId') } } },
        'Next time': { value: '/nextFireAt', format: 'time' },
      },
      actions: [
        { id: 'run-now', label: 'Run now', icon: 'play', tool: recurringTasksRunNow, arguments: { recurringId } },
        {
          id: 'disable',
          label: 'Switch off',
          icon: 'pause',
          tool: recurringTasksUpdate,
          arguments: { recurringId, enabled: false },
          when: { pointer: '/enabled', in: [true] },
          undo: { tool: recurringTasksUpdate, arguments: { recurringId: arg.before('/recurringId'), enabled: true } },
        },
        {
          id: 'enable',
          label: 'Switch on',
          icon: 'play',
          tool: recurringTasksUpdate,
          arguments: { recurringId, enabled: true },
          when: { pointer: '/enabled', in: [false] },
          undo: { tool: recurringTasksUpdate, arguments: { recurringId: arg.before('/recurringId'), enabled: false } },
        },
        {
          id: 'delete',
          label: 'Delete',
          icon: 'trash-2',
          tool: recurringTasksDelete,
          arguments: { recurringId },
          confirm: { object: arg.row('/name'), text: 'It is gone for good; the tasks it made stay.', typed: true },
        },
      ],
      empty: { text: 'No task recurs.', action: 'new-recurring' },
    }),
  ],
})
