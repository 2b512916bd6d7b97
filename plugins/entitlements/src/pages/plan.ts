import { definePage, Panel } from '@gateway/sdk'
import { entitlementsStatus } from '../tools/entitlements-status.ts'

export const planPage = definePage({
  path: '/plan',
  title: 'Plan',
  description: 'The features and limits of the tenant’s plan, and their use.',
  icon: 'badge-check',
  group: 'money',
  order: 40,
  panels: [
    Panel.stats({
      id: 'plan',
      title: 'Plan',
      from: entitlementsStatus,
      items: {
        Plan: { value: '/plan', format: 'badge' },
        Repos: { value: '/limits/repos/used', format: 'number' },
        'Repos allowed': { value: '/limits/repos/limit', format: 'number' },
        Seats: { value: '/limits/seats/used', format: 'number' },
        'Seats allowed': { value: '/limits/seats/limit', format: 'number' },
        'Off-hours minutes left': { value: '/limits/offHoursMinutes/remaining', format: 'number' },
        'Credits left': { value: '/limits/generationCredits/remaining', format: 'number' },
      },
      empty: 'No plan found.',
    }),
  ],
})
