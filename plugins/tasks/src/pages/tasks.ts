import { arg, definePage, Panel } from '@gateway/sdk'
import { tasksCounts } from '../routes/counts.ts'
import { tasksMove } from '../routes/move.ts'
import { moveBack, whileInReview } from '../rules/review-actions.ts'
import { tasksCreate } from '../tools/tasks-create.ts'
import { tasksDelete } from '../tools/tasks-delete.ts'
import { tasksList } from '../tools/tasks-list.ts'
import { tasksRestore } from '../tools/tasks-restore.ts'

const priorities = { P0: 'bad', P1: 'warn', P2: 'neutral', P3: 'neutral' } as const
const statuses = {
  pending: 'neutral',
  working: 'info',
  review: 'warn',
  done: 'good',
  blocked: 'warn',
  paused: 'neutral',
  dead_letter: 'bad',
} as const
const open = { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } } as const

export const tasksPage = definePage({
  path: '/tasks',
  title: 'Tasks',
  description: 'Work to do, its workers and its results.',
  icon: 'list-checks',
  group: 'work',
  order: 10,
  actions: [
    {
      id: 'new-task',
      label: 'New task',
      icon: 'plus',
      tone: 'primary',
      tool: tasksCreate,
      form: ['repo', 'title', 'description', 'priority', 'assignedAgent', 'dependsOn'],
      leads: { to: '/tasks/:taskId', with: { taskId: arg.row('/task/taskId') } },
    },
  ],
  panels: [
    Panel.stats({
      id: 'counts',
      title: 'Status',
      from: tasksCounts,
      items: {
        Pending: { value: '/counts/pending', format: 'number', stopsAt: '/countsStopAt' },
        Working: { value: '/counts/working', format: 'number', stopsAt: '/countsStopAt' },
        Review: { value: '/counts/review', format: 'number', stopsAt: '/countsStopAt' },
        Blocked: { value: '/counts/blocked', format: 'number', stopsAt: '/countsStopAt' },
        Paused: { value: '/counts/paused', format: 'number', stopsAt: '/countsStopAt' },
        'Dead letter': { value: '/counts/dead_letter', format: 'number', stopsAt: '/countsStopAt' },
        Done: { value: '/counts/done', format: 'number', stopsAt: '/countsStopAt' },
      },
      empty: { text: 'No tasks yet.', action: 'new-task' },
    }),
    Panel.table({
      id: 'queue',
      title: 'Queue',
      from: tasksList,
      filters: [
        { argument: 'q', label: 'Words', placeholder: 'Words of title and description' },
        'status',
        'repo',
        'assignedAgent',
        'priority',
      ],
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/tasks',
      key: '/taskId',
      columns: {
        Title: '/title',
        Status: { value: '/status', beside: '/stage', format: 'badge', tones: statuses },
        Priority: { value: '/priority', format: 'badge', tones: priorities },
        Repo: '/repo',
        'Claimed by': { value: '/claimedBy', beside: '/claimedByPrincipal' },
        Retries: { value: '/retryCount', format: 'number' },
        Created: { value: '/createdAt', format: 'time' },
      },
      open,
      actions: [
        ...whileInReview(arg.row('/taskId')),
        {
          id: 'set-pending',
          label: 'Let it run',
          icon: 'play',
          tool: tasksMove,
          arguments: { taskId: arg.row('/taskId'), status: 'pending' },
          when: { pointer: '/status', in: ['dead_letter', 'blocked', 'paused'] },
          undo: moveBack,
        },
        {
          id: 'remove',
          label: 'Delete',
          icon: 'trash-2',
          tool: tasksDelete,
          arguments: { taskId: arg.row('/taskId'), reason: arg.asked('Why is it deleted?') },
          confirm: { object: arg.row('/title'), text: 'It goes to the trash, from where it can be restored.' },
          undo: { tool: tasksRestore, arguments: { trashId: arg.row('/trashId') } },
          when: { pointer: '/status', in: ['pending', 'review', 'done', 'blocked', 'paused', 'dead_letter'] },
        },
      ],
      empty: { text: 'No tasks yet.', action: 'new-task' },
    }),
    Panel.board({
      id: 'board',
      title: 'Board',
      from: tasksList,
      arguments: { limit: 200 },
      filters: ['repo', 'assignedAgent', 'priority'],
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/tasks',
      key: '/taskId',
      column: '/status',
      columns: [
        { value: 'pending' },
        { value: 'working', tone: 'info' },
        { value: 'review', tone: 'warn' },
        { value: 'blocked', tone: 'warn' },
        { value: 'paused' },
        { value: 'dead_letter', tone: 'bad' },
        { value: 'done', tone: 'good' },
      ],
      head: '/title',
      fields: {
        Priority: { value: '/priority', format: 'badge', tones: priorities },
        Repo: '/repo',
        'Claimed by': { value: '/claimedBy', beside: '/claimedByPrincipal' },
      },
      open,
      move: {
        id: 'move',
        label: 'Move',
        tool: tasksMove,
        arguments: { taskId: arg.row('/taskId'), status: arg.column() },
        // Work goes on with a claim alone.
        undo: { ...moveBack, when: { pointer: '/status', except: ['working'] } },
      },
      empty: { text: 'No tasks yet.', action: 'new-task' },
    }),
  ],
})
