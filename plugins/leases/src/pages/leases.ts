import { arg, definePage, Panel } from '@gateway/sdk'
import { leaseList } from '../tools/lease-list.ts'
import { leaseRelease } from '../tools/lease-release.ts'

export const leasesPage = definePage({
  path: '/leases',
  title: 'Leases',
  description: 'Locks that workers hold, so that no other takes the same thing.',
  icon: 'lock',
  group: 'fleet',
  order: 60,
  panels: [
    Panel.table({
      id: 'leases',
      title: 'Leases',
      from: leaseList,
      arguments: { limit: 1_000 },
      filters: ['prefix'],
      rows: '/leases',
      key: '/key',
      columns: {
        Key: { value: '/key', format: 'code' },
        Holder: { value: '/holder', beside: '/holderPrincipal' },
        Epoch: { value: '/epoch', format: 'number' },
        Stale: { value: '/stale', format: 'badge', tones: { true: 'bad', false: 'good' } },
        Acquired: { value: '/acquiredAt', format: 'time' },
        Heartbeat: { value: '/heartbeatAt', format: 'time' },
        Ends: { value: '/leaseUntil', format: 'time' },
      },
      actions: [
        {
          id: 'release',
          label: 'Release',
          icon: 'lock-open',
          tool: leaseRelease,
          arguments: { key: arg.row('/key'), holder: arg.row('/holder'), epoch: arg.row('/epoch') },
          confirm: {
            object: arg.row('/key'),
            text: 'Another worker may take it at once; the previous holder is refused from then on.',
            typed: true,
          },
        },
      ],
      empty: 'No leases are held. Workers take them with lease_acquire.',
    }),
  ],
})
