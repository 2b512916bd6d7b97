import { type OverviewPanel, Panel } from '@gateway/sdk'
import { runnersThroughput } from '../routes/throughput.ts'
import { runnerLiveness } from '../tools/runner-liveness.ts'
import { workerLaneStatus } from '../tools/worker-lane-status.ts'
import { alive } from './runners.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 30,
    panel: Panel.series({
      id: 'throughput',
      title: 'Tasks per hour',
      width: 'two-thirds',
      from: runnersThroughput,
      rows: '/hours',
      x: '/hour',
      chart: 'bar',
      lines: { Finished: { value: '/done', format: 'number' }, Failed: { value: '/failed', format: 'number' } },
      link: { to: '/jobs' },
      empty: 'No task has ended in the last 24 hours.',
    }),
  },
  {
    order: 60,
    panel: Panel.table({
      id: 'machines',
      title: 'Runners',
      width: 'third',
      from: runnerLiveness,
      everySeconds: 60,
      rows: '/machines',
      key: '/machine',
      columns: { Machine: '/machine', State: alive, 'Last heartbeat': { value: '/lastHeartbeatAt', format: 'time' } },
      link: { to: '/runners' },
      empty: 'No runner has reported yet. Start one with “gateway runner”.',
    }),
  },
  {
    order: 65,
    panel: Panel.table({
      id: 'lanes',
      title: 'Lanes',
      width: 'third',
      from: workerLaneStatus,
      rows: '/lanes',
      key: '/lane',
      columns: {
        Lane: '/lane',
        State: { value: '/state', format: 'badge', tones: { connected: 'good', down: 'bad' }, words: { 'not-configured': 'not used' } },
        'In 24 h': { value: '/executions24h', format: 'number' },
      },
      link: { to: '/runners' },
      empty: 'No lanes.',
    }),
  },
]
