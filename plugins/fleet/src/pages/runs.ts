import { arg, definePage, Panel } from '@gateway/sdk'
import { fleetRunList } from '../tools/fleet-run-list.ts'

export const runsPage = definePage({
  path: '/runs',
  title: 'Fleet runs',
  description: 'Rounds over all repos, and their progress.',
  icon: 'route',
  group: 'activity',
  order: 60,
  panels: [
    Panel.table({
      id: 'runs',
      title: 'Runs',
      from: fleetRunList,
      arguments: { limit: 100 },
      rows: '/runs',
      key: '/runId',
      columns: {
        Run: { value: '/runId', format: 'code' },
        Type: { value: '/type', format: 'badge' },
        Status: { value: '/status', format: 'badge', tones: { running: 'info', completed: 'good', aborted: 'bad' } },
        Repos: { value: '/repoCount', format: 'number' },
        Done: { value: '/progress/done', format: 'number' },
        Failed: { value: '/progress/failed', format: 'number' },
        Machine: '/machine',
        Agent: '/agent',
        Started: { value: '/startedAt', format: 'time' },
        Finished: { value: '/finishedAt', format: 'time' },
      },
      open: { to: '/runs/:runId', with: { runId: arg.row('/runId') } },
      empty: 'No fleet runs yet. fleet_run_start opens one.',
    }),
  ],
})
