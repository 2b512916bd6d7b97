import { type OverviewPanel, Panel } from '@gateway/sdk'
import { growthRoute, MAX_PER_DAY, MAX_TOTAL } from '../routes/growth.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 80,
    panel: Panel.stats({
      id: 'growth',
      title: 'Memory',
      width: 'third',
      from: growthRoute,
      items: {
        Chunks: { value: '/total', format: 'number', stopsAt: MAX_TOTAL, link: { to: '/memory' } },
        'New in 7 days': { value: '/added', format: 'number', stopsAt: MAX_PER_DAY, trend: '/days', link: { to: '/memory' } },
      },
      link: { to: '/memory' },
      empty: 'No chunks yet. memory_store adds one.',
    }),
  },
]
