import { definePage, Panel } from '@gateway/sdk'
import { breakdownRoute } from '../routes/breakdown.ts'

const filters = ['from', 'to'] as const

export const usagePage = definePage({
  path: '/usage',
  title: 'Usage',
  description: 'Calls by day, tool, member and repo.',
  icon: 'chart-column',
  group: 'money',
  order: 20,
  panels: [
    Panel.series({
      id: 'days',
      title: 'Days',
      from: breakdownRoute,
      filters,
      rows: '/byDay',
      x: '/day',
      chart: 'bar',
      lines: { Calls: { value: '/quantity', format: 'number' } },
      empty: 'No calls in this period.',
    }),
    Panel.table({
      id: 'tools',
      title: 'Tools',
      width: 'third',
      from: breakdownRoute,
      filters,
      rows: '/byTool',
      key: '/tool',
      columns: { Tool: { value: '/tool', format: 'code' }, Calls: { value: '/quantity', format: 'number' } },
      empty: 'No calls in this period.',
    }),
    Panel.table({
      id: 'members',
      title: 'Members',
      width: 'third',
      from: breakdownRoute,
      filters,
      rows: '/byMember',
      key: '/member',
      columns: { Member: '/member', Calls: { value: '/quantity', format: 'number' } },
      empty: 'No calls in this period.',
    }),
    Panel.table({
      id: 'repos',
      title: 'Repos',
      width: 'third',
      from: breakdownRoute,
      filters,
      rows: '/byRepo',
      key: '/repo',
      columns: { Repo: '/repo', Calls: { value: '/quantity', format: 'number' } },
      empty: 'No calls that name a repo in this period.',
    }),
  ],
})
