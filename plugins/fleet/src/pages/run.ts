import { arg, definePage, Panel } from '@gateway/sdk'
import { fleetRunGet } from '../routes/run.ts'

const runId = arg.param('runId')

export const runPage = definePage({
  path: '/runs/:runId',
  title: 'Fleet run',
  icon: 'route',
  group: 'activity',
  panels: [
    Panel.detail({
      id: 'run',
      title: 'Run',
      from: fleetRunGet,
      arguments: { runId },
      record: '/run',
      names: '/type',
      fields: {
        Type: { value: '/type', format: 'badge' },
        Status: { value: '/status', format: 'badge', tones: { running: 'info', completed: 'good', aborted: 'bad' } },
        Machine: '/machine',
        Agent: '/agent',
        Started: { value: '/startedAt', format: 'time' },
        Finished: { value: '/finishedAt', format: 'time' },
      },
      empty: 'Fleet run not found.',
    }),
    Panel.table({
      id: 'repos',
      title: 'Repos',
      from: fleetRunGet,
      arguments: { runId },
      rows: '/run/repos',
      key: '/repo',
      columns: {
        Repo: '/repo',
        Decision: '/decision',
        Action: { value: '/action', format: 'badge' },
        State: { value: '/actionStatus', format: 'badge', tones: { done: 'good', failed: 'bad', 'in-progress': 'info' } },
        Detail: '/detail',
        'Pull request': '/prUrl',
        Recommendation: '/recommendation',
        Updated: { value: '/updatedAt', format: 'time' },
      },
      empty: 'This run has no repos.',
    }),
  ],
})
