import { arg, type OverviewPanel, Panel } from '@gateway/sdk'
import { tasksAtWork } from '../routes/at-work.ts'
import { tasksCounts } from '../routes/counts.ts'

const listOf = (status: string) => ({ to: '/tasks', with: { status } }) as const

export const overview: readonly OverviewPanel[] = [
  {
    order: 10,
    panel: Panel.stats({
      id: 'queue',
      title: 'Queue',
      from: tasksCounts,
      items: {
        Pending: { value: '/counts/pending', format: 'number', stopsAt: '/countsStopAt', trend: '/trend/pending', link: listOf('pending') },
        Working: { value: '/counts/working', format: 'number', stopsAt: '/countsStopAt', trend: '/trend/working', link: listOf('working') },
        'In review': {
          value: '/counts/review',
          format: 'number',
          stopsAt: '/countsStopAt',
          alarm: 'warn',
          trend: '/trend/review',
          link: listOf('review'),
        },
        Blocked: {
          value: '/counts/blocked',
          format: 'number',
          stopsAt: '/countsStopAt',
          alarm: 'warn',
          trend: '/trend/blocked',
          link: listOf('blocked'),
        },
        'Dead letter': {
          value: '/counts/dead_letter',
          format: 'number',
          stopsAt: '/countsStopAt',
          alarm: 'bad',
          trend: '/trend/dead_letter',
          link: listOf('dead_letter'),
        },
        Done: { value: '/counts/done', format: 'number', stopsAt: '/countsStopAt', link: listOf('done') },
      },
      link: { to: '/tasks' },
      empty: { text: 'There is no task yet.', link: { to: '/tasks' } },
    }),
  },
  {
    order: 20,
    panel: Panel.table({
      id: 'at-work',
      title: 'At work',
      from: tasksAtWork,
      rows: '/tasks',
      key: '/taskId',
      columns: {
        Task: '/title',
        Agent: { value: '/agent', beside: '/principal', link: { to: '/agents/:name', with: { name: arg.row('/agent') } } },
        Repo: { value: '/repo', link: { to: '/repos/:repo', with: { repo: arg.row('/repo') } } },
        'Latest step': '/step',
        Since: { value: '/since', format: 'time' },
        'Last sign of life': { value: '/lastSignAt', format: 'time' },
      },
      open: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } },
      link: listOf('working'),
      empty: { text: 'No agent is at work. A task that an agent or a runner claims shows here.', link: { to: '/tasks' } },
    }),
  },
]
