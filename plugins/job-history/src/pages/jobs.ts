import { arg, definePage, Panel } from '@gateway/sdk'
import { jobHistorySearch } from '../tools/job-history-search.ts'

export const jobsPage = definePage({
  path: '/jobs',
  title: 'Job history',
  description: 'Runs of runners, and their outcomes.',
  icon: 'history',
  group: 'activity',
  order: 20,
  panels: [
    Panel.table({
      id: 'jobs',
      title: 'Jobs',
      from: jobHistorySearch,
      filters: ['status', 'repo', { argument: 'q', label: 'Words' }, 'taskId'],
      rows: '/jobs',
      key: '/jobId',
      columns: {
        Status: { value: '/status', format: 'badge', tones: { done: 'good', failed: 'bad', blocked: 'warn' } },
        Repo: '/repo',
        Task: { value: '/taskId', format: 'code', titleOf: 'task', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } } },
        Result: '/resultLine',
        Error: { value: '/errorExcerpt', format: 'code' },
        Machine: '/machine',
        Model: '/model',
        Took: { value: '/durationSeconds', format: 'duration', unit: 's' },
        Recorded: { value: '/recordedAt', format: 'time' },
      },
      empty: 'No runs yet. Runners record them with job_history_record.',
    }),
  ],
})
