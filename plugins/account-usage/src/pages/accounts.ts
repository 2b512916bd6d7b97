import { definePage, Panel } from '@gateway/sdk'
import { accountUsageStatus } from '../tools/account-usage-status.ts'

export const accountsPage = definePage({
  path: '/accounts',
  title: 'Accounts',
  description: 'Remaining quota of each account with a model provider.',
  icon: 'gauge',
  group: 'money',
  order: 30,
  panels: [
    Panel.table({
      id: 'accounts',
      title: 'Accounts',
      from: accountUsageStatus,
      filters: ['account'],
      rows: '/accounts',
      key: '/account',
      columns: {
        Account: '/account',
        Fit: { value: '/fit', format: 'badge', tones: { good: 'good', reserve: 'warn', exhausted: 'bad' } },
        'Five hours used': { value: '/fiveHour/usedPct', format: 'number', unit: '%', limit: 100 },
        'Five hours reset': { value: '/fiveHour/resetsAt', format: 'time' },
        'Week used': { value: '/weekly/usedPct', format: 'number', unit: '%', limit: 100 },
        'Week resets': { value: '/weekly/resetsAt', format: 'time' },
        Flags: { value: '/flags', format: 'badge' },
        Advice: { value: '/recommendations', format: 'text' },
      },
      empty: 'No accounts yet. “gateway connect claude-code” and “gateway connect codex” have these programs report theirs.',
    }),
  ],
})
