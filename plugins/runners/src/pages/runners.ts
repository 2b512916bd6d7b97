import { arg, definePage, Panel } from '@gateway/sdk'
import { runnersOutput } from '../routes/output.ts'
import { runnersRuns } from '../routes/runs.ts'
import { runnersThroughput } from '../routes/throughput.ts'
import { runnerLeaseHistory } from '../tools/runner-lease-history.ts'
import { runnerLeaseList } from '../tools/runner-lease-list.ts'
import { runnerLeaseRelease } from '../tools/runner-lease-release.ts'
import { runnerLiveness } from '../tools/runner-liveness.ts'
import { workerLaneStatus } from '../tools/worker-lane-status.ts'

export const alive = {
  value: '/down',
  format: 'badge',
  words: { true: 'down', false: 'alive' },
  tones: { true: 'bad', false: 'good' },
} as const

export const runnersPage = definePage({
  path: '/runners',
  title: 'Runners',
  description: 'Runner machines, and the slots they hold.',
  icon: 'server',
  group: 'fleet',
  order: 50,
  panels: [
    Panel.table({
      id: 'machines',
      title: 'Machines',
      width: 'half',
      from: runnerLiveness,
      everySeconds: 60,
      rows: '/machines',
      key: '/machine',
      columns: {
        Machine: '/machine',
        Address: '/address',
        State: alive,
        'Last heartbeat': { value: '/lastHeartbeatAt', format: 'time' },
        'Can do': { value: '/capabilities', format: 'badge' },
      },
      empty: 'No machines yet. runner_heartbeat reports one.',
    }),
    Panel.table({
      id: 'lanes',
      title: 'Lanes',
      width: 'half',
      from: workerLaneStatus,
      rows: '/lanes',
      key: '/lane',
      columns: {
        Lane: '/lane',
        State: {
          value: '/state',
          format: 'badge',
          tones: { connected: 'good', down: 'bad' },
          words: { 'not-configured': 'not used' },
        },
        Host: '/host',
        'Also on': { value: '/others', format: 'badge' },
        'Runs in 24 h': { value: '/executions24h', format: 'number' },
        'Runs in 30 days': { value: '/executions30d', format: 'number' },
      },
      empty: 'No lanes.',
    }),
    Panel.table({
      id: 'runs',
      title: 'Runs',
      from: runnersRuns,
      everySeconds: 5,
      filters: ['lane'],
      rows: '/runs',
      key: '/taskId',
      columns: {
        Task: '/title',
        Repo: '/repo',
        Lane: { value: '/lane', format: 'badge' },
        Agent: '/agent',
        Runner: '/holder',
        Since: { value: '/since', format: 'time' },
        'Lease ends': { value: '/leaseUntil', format: 'time' },
      },
      open: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } },
      empty: 'No runner works on a task now.',
    }),
    Panel.heatmap({
      id: 'activity',
      title: 'Tasks that ended, by hour of the last week',
      from: runnersThroughput,
      arguments: { hours: 168 },
      rows: '/hours',
      x: '/hour',
      lines: { Finished: { value: '/done', format: 'number' }, Failed: { value: '/failed', format: 'number' } },
      empty: 'No task has ended in the last week.',
    }),
    Panel.log({
      id: 'output',
      title: 'Output',
      from: runnersOutput,
      everySeconds: 5,
      filters: ['lane'],
      rows: '/lines',
      text: '/message',
      at: '/at',
      level: '/level',
      fields: { Lane: { value: '/lane', format: 'badge' }, Task: '/title' },
      empty: 'No run has said anything yet.',
    }),
    Panel.table({
      id: 'slots',
      title: 'Slots',
      from: runnerLeaseList,
      rows: '/slots',
      key: '/slot',
      columns: {
        Slot: { value: '/slot', format: 'number' },
        Holder: { value: '/holder', beside: '/holderPrincipal' },
        Machine: '/machine',
        Account: '/account',
        Task: { value: '/taskId', format: 'code', titleOf: 'task', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } } },
        Stale: { value: '/stale', format: 'badge', words: { true: 'yes', false: 'no' }, tones: { true: 'bad' } },
        'Lease ends': { value: '/leaseUntil', format: 'time' },
      },
      actions: [
        {
          id: 'release',
          label: 'Release',
          icon: 'lock-open',
          tone: 'bad',
          tool: runnerLeaseRelease,
          arguments: { holder: arg.row('/holder'), slot: arg.row('/slot') },
          when: { pointer: '/holder', except: [null] },
          confirm: { object: arg.row('/holder'), text: 'Its slot becomes free; the session itself is not stopped.' },
        },
      ],
      empty: 'No slots are held.',
    }),
    Panel.table({
      id: 'history',
      title: 'Slot history',
      from: runnerLeaseHistory,
      filters: ['account'],
      rows: '/history',
      key: '/acquiredAt',
      columns: {
        Slot: { value: '/slot', format: 'number' },
        Holder: { value: '/holder', beside: '/holderPrincipal' },
        Task: { value: '/taskId', format: 'code', titleOf: 'task', link: { to: '/tasks/:taskId', with: { taskId: arg.row('/taskId') } } },
        Held: { value: '/durationMs', format: 'duration' },
        Ended: { value: '/endReason', format: 'badge', tones: { reclaimed: 'warn', account_mismatch: 'bad' } },
        Released: { value: '/releasedAt', format: 'time' },
      },
      empty: 'No slot was ever held.',
    }),
  ],
})
