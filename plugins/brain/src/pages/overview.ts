import { type OverviewPanel, Panel } from '@gateway/sdk'
import { brainGrowth, MAX_PER_DAY } from '../routes/growth.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 85,
    panel: Panel.stats({
      id: 'growth',
      title: 'Brain',
      width: 'third',
      from: brainGrowth,
      items: {
        Atoms: { value: '/total', format: 'number', link: { to: '/brain' } },
        'New in 7 days': { value: '/added', format: 'number', stopsAt: MAX_PER_DAY, trend: '/days', link: { to: '/brain/log' } },
      },
      link: { to: '/brain' },
      empty: 'No brain yet. The first brain_commit creates it.',
    }),
  },
]
