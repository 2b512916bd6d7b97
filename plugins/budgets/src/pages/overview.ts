import { type OverviewPanel, Panel } from '@gateway/sdk'
import { budgetsStatus } from '../tools/budgets-status.ts'
import { states } from './budgets.ts'

export const overview: readonly OverviewPanel[] = [
  {
    order: 40,
    panel: Panel.stats({
      id: 'spending',
      title: 'Spending',
      width: 'third',
      from: budgetsStatus,
      items: {
        Today: { value: '/todayUsd', format: 'money', limit: '/dailyCapUsd', link: { to: '/budgets' } },
        'This month': { value: '/monthToDateUsd', format: 'money', limit: '/monthlyCapUsd', link: { to: '/budgets' } },
        State: {
          value: '/worstState',
          format: 'badge',
          tones: states,
          words: { ok: 'within its caps', downgrade: 'near a cap', exceeded: 'cap reached' },
        },
      },
      link: { to: '/budgets' },
      empty: 'No spending yet.',
    }),
  },
]
