import { definePage, Panel } from '@gateway/sdk'
import { breakdownRoute } from '../routes/breakdown.ts'

const filters = ['from', 'to'] as const

export const usagePage = definePage({
  path: '/usage',
  title: 'Usage',
  description: 'What is called, by whom and when.',
  icon: 'chart-column',
  group: 'money',
  order: 20,
  panels: [
    Panel.series({
      id: 'days',
      title: 'By day',
      from: breakdownRoute,
      filters,
      rows: '/byDay',
      x: '/day',
      chart: 'bar',
      lines: { Calls: { value: '/quantity', format: 'number' } },
      empty: 'Nothing was called in this time.',
    }),
    Panel.table({
      id: 'tools',
      title: 'By tool',
      width: 'third',
      from: breakdownRoute,
      filters,
      rows: '/byTool',
      key: '/tool',
      columns: { Tool: { value: '/tool', format: 'code' }, Calls: { value: '/quantity', format: 'number' } },
      empty: 'Nothing was called in this time.',
    }),
    Panel.table({
      id: 'members',
      title: 'By member',
      width: 'third',
      from: breakdownRoute,
      filters,
      rows: '/byMember',
      key: '/member',
      columns: { Member: '/member', Calls: { value: '/quantity', format: 'number' } },
      empty: 'Nobody called in this time.',
    }),
    Panel.table({
      id: 'repos',
      title: 'By repo',
      width: 'third',
      from: breakdownRoute,
      filters,
      rows: '/byRepo',
      key: '/repo',
      columns: { Repo: '/repo', Calls: { value: '/quantity', format: 'number' } },
      empty: 'No call named a repo in this time.',
    }),
  ],
})
