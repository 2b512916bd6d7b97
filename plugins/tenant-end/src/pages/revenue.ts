import { definePage, Panel } from '@gateway/sdk'
import { revenueRoute } from '../routes/revenue.ts'

export const revenuePage = definePage({
  path: '/revenue',
  title: 'Revenue',
  description: 'Monthly recurring revenue of all tenants, day by day.',
  icon: 'chart-column',
  group: 'money',
  order: 60,
  panels: [
    Panel.series({
      id: 'days',
      title: 'Monthly recurring revenue',
      from: revenueRoute,
      rows: '/days',
      x: '/day',
      lines: { Revenue: { value: '/mrrUsd', format: 'money' } },
      empty: 'No snapshots yet. They are taken once an hour when there are tenants.',
    }),
    Panel.table({
      id: 'plans',
      title: 'Plans on the latest day',
      from: revenueRoute,
      rows: '/plans',
      key: '/plan',
      columns: {
        Plan: { value: '/plan', format: 'badge' },
        Tenants: { value: '/tenants', format: 'number' },
        Revenue: { value: '/mrrUsd', format: 'money' },
      },
      empty: 'No snapshots yet. They are taken once an hour when there are tenants.',
    }),
  ],
})
