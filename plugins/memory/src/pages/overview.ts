import { type OverviewPanel, Panel } from '@gateway/sdk'
import { growthRoute } from '../routes/growth.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 80,
    panel: Panel.stats({
      id: 'growth',
      title: 'Memory',
      width: 'third',
      from: growthRoute,
      items: {
        Chunks: { value: '/total', format: 'number', link: { to: '/memory' } },
        'New in 7 days': { value: '/added', format: 'number', trend: '/days', link: { to: '/memory' } },
      },
      link: { to: '/memory' },
      empty: 'No chunks yet. memory_store adds one.',
    }),
  },
]
